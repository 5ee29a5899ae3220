// The tokens with the largest weights, formatted for display.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "inside/attention_view.h"

namespace headlight {

/// A token or word for display: control characters escaped, and shortened.
std::string shown_unit(const TokenWord& unit);

/// "gorgeous 0.41  witty 0.12": as many of the strongest as fit into `columns`, at least one.
std::string strongest_text(std::span<const double> weights, std::span<const TokenWord> units,
                           std::size_t columns, unsigned decimals);

/// A line for the pooled vector, and for each label if the model has label attention.
std::string strongest_lines(const AttentionView& view, std::size_t columns, unsigned decimals);

}  // namespace headlight
