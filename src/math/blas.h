// The only interface to OpenBLAS.
//
// It uses one thread, because our threads share texts, not products. The bits of a result depend on
// the shapes.
#pragma once

#include "math/matrix.h"

namespace headlight {

/// out [n, o] = x [n, k] · w [o, k]ᵀ
void blas_multiply_transposed(ConstMatrix x, ConstMatrix w, Matrix out);

}  // namespace headlight
