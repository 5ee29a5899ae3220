// Bars of block characters for a terminal (Unicode, "Block Elements").
#pragma once

#include <cstddef>
#include <string>

namespace headlight {

/// `share` (0 to 1) of `width` columns in steps of half a column, filled up with blanks.
std::string text_bar(double share, std::size_t width);

/// From a line in the middle to the right, or to the left below 0; `share` is from -1 to 1. `width`
/// columns to each side of the line.
std::string signed_text_bar(double share, std::size_t width);

}  // namespace headlight
