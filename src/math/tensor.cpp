#include "math/tensor.h"

#include <stdexcept>
#include <tuple>

#include <xtensor-blas/xlinalg.hpp>

namespace headlight {

Tensor<2> product(const Tensor<2>& a, const Tensor<2>& b) { return xt::linalg::dot(a, b); }

Tensor<2> product_transposed(const Tensor<2>& a, const Tensor<2>& b) {
  return xt::linalg::dot(a, xt::transpose(b));
}

Tensor<2> solve(const Tensor<2>& a, const Tensor<2>& b) { return xt::linalg::solve(a, b); }

Tensor<2> orthonormal(const Tensor<2>& a) { return std::get<0>(xt::linalg::qr(a)); }

double inner_product(const Tensor<2>& a, const Tensor<2>& b) {
  if (a.shape() != b.shape()) throw std::runtime_error("inner product of unlike shapes");
  const TensorView<double, 1> x = view_of<1>(a.storage(), {a.size()});
  const TensorView<double, 1> y = view_of<1>(b.storage(), {b.size()});
  return xt::linalg::dot(x, y)(0);
}

}  // namespace headlight
