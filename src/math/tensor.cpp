#include "math/tensor.h"

#include <xtensor-blas/xlinalg.hpp>

namespace headlight {

Tensor<2> product(const Tensor<2>& a, const Tensor<2>& b) { return xt::linalg::dot(a, b); }

Tensor<2> product_transposed(const Tensor<2>& a, const Tensor<2>& b) {
  return xt::linalg::dot(a, xt::transpose(b));
}

}  // namespace headlight
