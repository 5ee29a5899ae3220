// Which tokens have the most weight.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "text/token_words.h"

namespace headlight {

/// Positions by weight, the greatest first; equal ones in order.
std::vector<std::size_t> by_weight(std::span<const double> weights);

/// A token or word as people are shown it: harmless, and cut where it is long.
std::string shown_unit(const TokenWord& unit);

/// "gorgeous 0.41  witty 0.12": as many of the strongest as `columns` hold, at least one.
std::string strongest_text(std::span<const double> weights, std::span<const TokenWord> units,
                           std::size_t columns, unsigned decimals);

}  // namespace headlight
