// Matrix products: the one door to BLAS.
//
// OpenBLAS is told to use one thread; workers share texts, not products. The bits of a result
// depend on the shapes, so callers keep the shapes of a text independent of its neighbours.
#pragma once

#include "math/matrix.h"

namespace headlight {

/// out [n, o] = x [n, k] · w [o, k]ᵀ
void multiply_transposed(ConstMatrix x, ConstMatrix w, Matrix out);

/// out [n, o] = a [n, k] · b [k, o]
void multiply(ConstMatrix a, ConstMatrix b, Matrix out);

}  // namespace headlight
