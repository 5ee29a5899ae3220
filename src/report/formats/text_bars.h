// Bars of block characters for a terminal (Unicode, "Block Elements").
#pragma once

#include <cstddef>
#include <string>

namespace headlight {

/// A bar of `share` (0 to 1) times `width` columns, in steps of half a column, padded with blanks.
std::string text_bar(double share, std::size_t width);

/// A bar to the right of a middle line, or to its left if `share` (-1 to 1) is negative. Each side
/// has `width` columns.
std::string signed_text_bar(double share, std::size_t width);

}  // namespace headlight
