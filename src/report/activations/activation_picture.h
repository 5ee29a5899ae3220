// How a model's layers change the vectors of a text's tokens, as a picture.
#pragma once

#include <string>
#include <vector>

#include "inside/activations.h"

namespace headlight {

/// SVG. For each state: bars of the norm of each token's vector and of its cosine with the vector
/// in the previous state, and a heat map of the cosines of all token pairs. Two models are side by
/// side. `title`: above it; empty: none.
std::string activation_picture(const std::vector<TextActivations>& models,
                               const std::string& title = "");

}  // namespace headlight
