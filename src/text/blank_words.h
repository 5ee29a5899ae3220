// Words in the everyday sense: separated by white space.
#pragma once

#include <string_view>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// The ranges of the words of a text, in code points.
std::vector<Offset> words_between_blanks(std::u32string_view text);

}  // namespace headlight
