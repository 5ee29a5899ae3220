// How wide text is on a terminal.
#pragma once

#include <cstddef>
#include <string_view>

namespace headlight {

/// Columns that a terminal takes for `text`: 2 for each wide character (East Asian Width W and F:
/// Unicode Standard Annex 11; emoji among them), 0 for marks on the letter before them, else 1.
/// Controls take none.
std::size_t columns_of(std::u32string_view text);

}  // namespace headlight
