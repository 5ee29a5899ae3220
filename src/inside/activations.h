// How the layers of a model change the vectors of a text's tokens: norms, cosines before and after
// each layer, and cosines between tokens.
#pragma once

#include <cstddef>
#include <vector>

#include "inside/inside.h"

namespace headlight {

/// For n tokens and l layers, in float64. A state is the output of the embedding or of a layer. The
/// cosine with a vector of zeros is 0.
struct Activations {
  std::vector<std::vector<double>> norms;  // [l + 1, n] Euclidean norms of the vectors
  /// [l, n] cosine of a token's vectors before and after the layer; empty for a layer whose
  /// output width differs from its input width.
  std::vector<std::vector<double>> change;
  std::vector<std::vector<double>> similarity;  // [l + 1, n, n] cosine of each pair of tokens
};

/// `states`: after the embedding and each layer, [n, d]; n is at least 1.
Activations measure_activations(const std::vector<std::vector<float>>& states, std::size_t n);

struct TextActivations {
  TracedText text;
  Activations activations;
};
/// The text must have its hidden vectors.
TextActivations activations_of(TracedText text);

/// The mean cosine of a token with the other tokens, from one state's similarity [n, n]; 0 if there
/// are no others.
double mean_similarity(const std::vector<double>& similarity, std::size_t n, std::size_t token);

/// The largest norm over all states and tokens.
double largest_norm(const Activations& activations);

}  // namespace headlight
