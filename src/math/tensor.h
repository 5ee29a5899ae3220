// Arrays of float64 for numbers that are written as formulas: statistics, norms, cosines, the
// reference of the tests. xtensor enters by this header alone.
//
// An expression of xtensor is computed again each time it is read, and points to its operands:
// name results by these types, never by auto. Sources include this, headers do not: it takes
// seconds to compile.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <xtensor/xadapt.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnorm.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

namespace headlight {

/// Row-major.
template <std::size_t Rank>
using Tensor = xt::xtensor<double, Rank>;
template <std::size_t Rank>
using TensorShape = std::array<std::size_t, Rank>;

/// Numbers that lie one after another, where they lie. They must outlive it.
template <typename Number, std::size_t Rank>
using TensorView = decltype(xt::adapt(std::declval<const Number*>(), std::size_t{},
                                      xt::no_ownership(), std::declval<TensorShape<Rank>>()));

/// `numbers`: as many as `shape` has.
template <std::size_t Rank, typename Numbers>
auto view_of(const Numbers& numbers, const TensorShape<Rank>& shape) {
  const auto* begin = numbers.data();
  return xt::adapt(std::move(begin), numbers.size(), xt::no_ownership(), shape);
}

/// The numbers of a tensor or a view, row after row.
template <typename Number = double, typename Array>
std::vector<Number> numbers_of(const Array& array) {
  std::vector<Number> numbers;
  numbers.reserve(array.size());
  for (const double number : array) numbers.push_back(static_cast<Number>(number));
  return numbers;
}

/// v [n] as a column, [n, 1], to compute with the rows of a matrix. v must outlive it.
inline auto column(const Tensor<1>& v) { return xt::view(v, xt::all(), xt::newaxis()); }
auto column(Tensor<1>&& v) = delete;

/// a [m, k] · b [k, n] → [m, n], by OpenBLAS. Throws std::runtime_error if the shapes do not fit.
Tensor<2> product(const Tensor<2>& a, const Tensor<2>& b);

/// a [m, k] · b [n, k]ᵀ → [m, n]
Tensor<2> product_transposed(const Tensor<2>& a, const Tensor<2>& b);

}  // namespace headlight
