// The position vectors and the attention mask of an encoder, as matrices for display.
#pragma once

#include <cstddef>
#include <vector>

#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// The vectors P [n, e] that are added to the first n tokens of a text without padding.
/// `positions` must not be none; n is at most max_positions.
std::vector<float> position_vectors(const Description& model, const EmbeddingWeights& weights,
                                    std::size_t n);

/// [n, n]: 1 if query i may attend to key j under the mask and the window of the heads, else 0.
std::vector<float> mask_matrix(const HeadsDescription& heads, std::size_t n);

}  // namespace headlight
