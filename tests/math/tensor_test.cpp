// Products of xtensor against sums written out, for every small shape: rows and columns of one have
// strides of their own, and a matrix times itself takes another way.
#include "math/tensor.h"

#include <cstddef>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::tensor_test {
namespace {

constexpr std::size_t kLargest = 6;

/// Numbers that are exact in float64, as are sums of their products.
Tensor<2> numbered(std::size_t rows, std::size_t cols, double first) {
  Tensor<2> x(TensorShape<2>{rows, cols});
  for (double& value : x) {
    value = first;
    first = first < 0.0 ? 1.5 - first : -0.25 - first;
  }
  return x;
}

Tensor<2> product_by_hand(const Tensor<2>& a, const Tensor<2>& b) {
  Tensor<2> out(TensorShape<2>{a.shape(0), b.shape(1)});
  for (std::size_t i = 0; i < a.shape(0); ++i) {
    for (std::size_t j = 0; j < b.shape(1); ++j) {
      out(i, j) = 0.0;
      for (std::size_t k = 0; k < b.shape(0); ++k) out(i, j) += a(i, k) * b(k, j);
    }
  }
  return out;
}

void check_products(std::size_t m, std::size_t k, std::size_t n) {
  CAPTURE(m);
  CAPTURE(k);
  CAPTURE(n);
  const Tensor<2> a = numbered(m, k, 1.0);
  const Tensor<2> b = numbered(k, n, -2.0);
  const Tensor<2> b_turned = xt::transpose(b);
  const Tensor<2> a_turned = xt::transpose(a);
  CHECK(product(a, b) == product_by_hand(a, b));
  CHECK(product_transposed(a, b_turned) == product_by_hand(a, b));
  CHECK(product_transposed(a, a) == product_by_hand(a, a_turned));
  double squares = 0.0;
  for (const double value : a) squares += value * value;
  CHECK(inner_product(a, a) == squares);
}

TEST_CASE("tensors: products of every small shape are the sums written out") {
  for (std::size_t m = 1; m <= kLargest; ++m) {
    for (std::size_t k = 1; k <= kLargest; ++k) {
      for (std::size_t n = 1; n <= kLargest; ++n) check_products(m, k, n);
    }
  }
}

TEST_CASE("tensors: a product of shapes that do not fit is an error") {
  const Tensor<2> a = numbered(2, 3, 1.0);
  CHECK_THROWS_AS(product(a, a), std::runtime_error);
  CHECK_THROWS_AS(product_transposed(a, numbered(4, 2, 1.0)), std::runtime_error);
  CHECK_THROWS_AS(inner_product(a, numbered(3, 2, 1.0)), std::runtime_error);
}

TEST_CASE("tensors: a system of equations is solved, and a singular one refused") {
  for (std::size_t n = 1; n <= kLargest; ++n) {
    for (std::size_t m = 1; m <= kLargest; ++m) {
      CAPTURE(n);
      CAPTURE(m);
      const Tensor<2> a = numbered(n, n, 1.0) + 20.0 * xt::eye<double>(n);
      const Tensor<2> b = numbered(n, m, -2.0);
      const Tensor<2> difference = product_by_hand(a, solve(a, b)) - b;
      CHECK(inner_product(difference, difference) < 1e-24);
    }
  }
  const Tensor<2> zeros = xt::zeros<double>({2, 2});
  CHECK_THROWS_AS(solve(zeros, zeros), std::runtime_error);
}

TEST_CASE("tensors: numbers are seen where they lie, and come out row after row") {
  std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  const TensorView<float, 2> view = view_of<2>(numbers, {2, 3});
  numbers[5] = 7;
  CHECK(view(1, 2) == 7.0F);
  const Tensor<2> turned = xt::transpose(view);
  CHECK(numbers_of(turned) == std::vector<double>{1, 4, 2, 5, 3, 7});
  const Tensor<1> halves = {0.5, 0.25};
  const Tensor<2> scaled = view * column(halves);
  CHECK(numbers_of<float>(scaled) == std::vector<float>{0.5F, 1, 1.5F, 1, 1.25F, 1.75F});
}

}  // namespace
}  // namespace headlight::tensor_test
