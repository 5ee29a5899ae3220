// Selection of the largest values, in descending order.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "inside/explanation.h"

namespace headlight {

/// Positions by descending weight; ties in position order.
std::vector<std::size_t> by_weight(std::span<const double> weights);

/// Indices of the words with the largest effects on `label`, at most `most`.
std::vector<std::size_t> strongest_words(const Explanation& explanation, std::size_t label,
                                         std::size_t most);
/// Indices of the pairs with the largest interactions, at most `most`.
std::vector<std::size_t> strongest_pairs(const Explanation& explanation, std::size_t label,
                                         std::size_t most);

}  // namespace headlight
