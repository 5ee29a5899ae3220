// What the layers of a model do to the vectors of a text's tokens: how long these are, how far each
// is turned, and how like one another they become.
#pragma once

#include <cstddef>
#include <vector>

namespace headlight {

/// Of n tokens and l layers, in float64. A state is what stands after the embedding, or after a
/// layer. The cosine with a vector of zeros is 0.
struct Activations {
  std::vector<std::vector<double>> norms;  // [l + 1, n] Euclidean lengths of the vectors
  /// [l, n] cosine of a token's vector before the layer and after it; empty for a layer that gives
  /// vectors of another width than it takes.
  std::vector<std::vector<double>> change;
  std::vector<std::vector<double>> similarity;  // [l + 1, n, n] cosine of each two tokens
};

/// `states`: after the embedding and each layer, [n, d]; n is at least 1.
Activations measure_activations(const std::vector<std::vector<float>>& states, std::size_t n);

/// The mean cosine of a token, in one state's similarity [n, n], with the others; 0 where there are
/// none.
double mean_similarity(const std::vector<double>& similarity, std::size_t n, std::size_t token);

/// The length of the longest of all vectors.
double largest_norm(const Activations& activations);

}  // namespace headlight
