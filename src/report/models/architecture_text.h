// The architecture of a model in words: what `inspect` says about heads, positions and norms.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/description.h"

namespace headlight {

/// Names and what to say: heads, feed-forward, norms, positions, windows. Norms and windows only if
/// they differ from a LayerNorm after each sublayer and from attention to all tokens.
std::vector<std::pair<std::string, std::string>> architecture_lines(const Description& model);

/// 7834370 → "7,834,370"
std::string grouped(std::size_t number);

}  // namespace headlight
