// float64 arrays for code that reads like its formulas: statistics, norms, cosines, the reference
// in the tests. The only interface to xtensor.
//
// An xtensor expression is computed again at each read, and refers to its operands. Store results
// in these types, never in auto. Include this in sources, not in headers: it takes seconds to
// compile.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <xtensor/xadapt.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xnorm.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

namespace headlight {

/// Row-major.
template <std::size_t Rank>
using Tensor = xt::xtensor<double, Rank>;
template <std::size_t Rank>
using TensorShape = std::array<std::size_t, Rank>;

/// A view of contiguous numbers, without a copy. They must outlive it.
template <typename Number, std::size_t Rank>
using TensorView = decltype(xt::adapt(std::declval<const Number*>(), std::size_t{},
                                      xt::no_ownership(), std::declval<TensorShape<Rank>>()));

/// `numbers` must have as many elements as `shape`.
template <std::size_t Rank, typename Numbers>
auto view_of(const Numbers& numbers, const TensorShape<Rank>& shape) {
  const auto* begin = numbers.data();
  return xt::adapt(std::move(begin), numbers.size(), xt::no_ownership(), shape);
}

/// The numbers of a tensor or a view, row by row.
template <typename Number = double, typename Array>
std::vector<Number> numbers_of(const Array& array) {
  std::vector<Number> numbers;
  numbers.reserve(array.size());
  for (const double number : array) numbers.push_back(static_cast<Number>(number));
  return numbers;
}

/// v [n] as a column [n, 1], for operations on the rows of a matrix. v must outlive it.
inline auto column(const Tensor<1>& v) { return xt::view(v, xt::all(), xt::newaxis()); }
auto column(Tensor<1>&& v) = delete;

/// a [m, k] · b [k, n] → [m, n], with OpenBLAS. Throws std::runtime_error if the shapes do not
/// match.
Tensor<2> product(const Tensor<2>& a, const Tensor<2>& b);

/// a [m, k] · b [n, k]ᵀ → [m, n]
Tensor<2> product_transposed(const Tensor<2>& a, const Tensor<2>& b);

/// x [n, m] of a [n, n] · x = b [n, m]. Throws std::runtime_error if a is singular.
Tensor<2> solve(const Tensor<2>& a, const Tensor<2>& b);

/// Orthonormal columns [n, m] that span those of a [n, m], m ≤ n, the first ones the first ones: Q
/// of its QR decomposition.
Tensor<2> orthonormal(const Tensor<2>& a);

/// Σ a_ij b_ij of two matrices of the same shape, several times as fast as xt::sum(a * b).
double inner_product(const Tensor<2>& a, const Tensor<2>& b);

}  // namespace headlight
