#include "inside/activations.h"

#include <algorithm>
#include <utility>

#include "math/tensor.h"

namespace headlight {
namespace {

/// Dot products divided by the products of the norms; 0 if a norm is 0.
template <std::size_t Rank>
Tensor<Rank> cosines(const Tensor<Rank>& products, const Tensor<Rank>& lengths) {
  return xt::where(lengths > 0.0, xt::clip(products / lengths, -1.0, 1.0), 0.0);
}

/// The cosines [n, n] of all pairs of rows of x [n, d], whose norms are `norms` [n].
Tensor<2> similarity(const Tensor<2>& x, const Tensor<1>& norms) {
  const Tensor<2> both = column(norms) * norms;  // [n, n]
  return cosines(product_transposed(x, x), both);
}

/// The cosine of each row of `before` with the same row of `after`, both [n, d].
Tensor<1> change(const Tensor<2>& before, const Tensor<2>& after) {
  const Tensor<1> products = xt::sum(before * after, {1});
  const Tensor<1> both = xt::norm_l2(before, {1}) * xt::norm_l2(after, {1});
  return cosines(products, both);
}

}  // namespace

Activations measure_activations(const std::vector<std::vector<float>>& states, std::size_t n) {
  Activations measured;
  Tensor<2> before;
  for (const auto& state : states) {
    const Tensor<2> x = view_of<2>(state, {n, state.size() / n});  // [n, d]
    const Tensor<1> norms = xt::norm_l2(x, {1});
    measured.norms.push_back(numbers_of(norms));
    measured.similarity.push_back(numbers_of(similarity(x, norms)));
    if (measured.norms.size() > 1) {
      const bool same_width = before.shape() == x.shape();
      measured.change.push_back(same_width ? numbers_of(change(before, x)) : std::vector<double>());
    }
    before = x;
  }
  return measured;
}

TextActivations activations_of(TracedText text) {
  TextActivations found;
  found.activations = measure_activations(text.trace.hidden, text.encoding.size());
  found.text = std::move(text);
  return found;
}

double mean_similarity(const std::vector<double>& similarity, std::size_t n, std::size_t token) {
  if (n == 1) return 0.0;
  const TensorView<double, 2> matrix = view_of<2>(similarity, {n, n});
  return (xt::sum(xt::view(matrix, token))() - matrix(token, token)) / static_cast<double>(n - 1);
}

double largest_norm(const Activations& activations) {
  double largest = 0.0;
  for (const auto& norms : activations.norms) {
    for (const double norm : norms) largest = std::max(largest, norm);
  }
  return largest;
}

}  // namespace headlight
