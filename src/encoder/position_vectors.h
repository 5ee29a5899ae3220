// What an encoder adds for where a token stands, and which tokens it lets it see, as matrices for
// people to look at.
#pragma once

#include <cstddef>
#include <vector>

#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// The vectors P [n, e] that are added to the first n tokens of a text, none of them a filler.
/// `positions` must not be none; n at most max_positions.
std::vector<float> position_vectors(const Description& model, const EmbeddingWeights& weights,
                                    std::size_t n);

/// [n, n]: 1 where query i may see key j, else 0.
std::vector<float> mask_matrix(AttentionMask mask, std::size_t n);

}  // namespace headlight
