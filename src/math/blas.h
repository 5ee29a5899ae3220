// The only interface to OpenBLAS.
//
// It uses one thread, because our threads share texts, not products. The bits of a result depend on
// the shapes.
#pragma once

#include <cstddef>

#include "math/matrix.h"

namespace headlight {

/// out [n, o] = x [n, k] · w [o, k]ᵀ
void blas_multiply_transposed(ConstMatrix x, ConstMatrix w, Matrix out);

/// Replaces a symmetric positive definite matrix a [n, n] by its inverse. Returns false, with a
/// lost, if it is not positive definite in float64.
bool invert_positive(double* a, std::size_t n);

}  // namespace headlight
