// The tokens with the most weight, as people are shown them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "text/token_words.h"

namespace headlight {

/// A token or word as people are shown it: harmless, and cut where it is long.
std::string shown_unit(const TokenWord& unit);

/// "gorgeous 0.41  witty 0.12": as many of the strongest as `columns` hold, at least one.
std::string strongest_text(std::span<const double> weights, std::span<const TokenWord> units,
                           std::size_t columns, unsigned decimals);

}  // namespace headlight
