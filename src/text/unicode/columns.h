// The width of text on a terminal.
#pragma once

#include <cstddef>
#include <string_view>

namespace headlight {

/// The columns of `text` on a terminal: 2 for each wide character (East Asian Width W and F,
/// Unicode Standard Annex 11; includes emoji), 0 for combining marks and control characters, else
/// 1.
std::size_t columns_of(std::u32string_view text);

}  // namespace headlight
