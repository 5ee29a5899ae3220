// OpenBLAS for LinearForm::blas in a test.
#pragma once

#include "math/blas.h"
#include "math/linear.h"

namespace headlight {

inline const bool kHasBlas = (use_blas(blas_multiply_transposed), has_blas());

}  // namespace headlight
