// Words as people who know no tokenizer count them: what white space separates.
#pragma once

#include <string_view>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// Where the words of a text stand, in code points.
std::vector<Offset> words_between_blanks(std::u32string_view text);

}  // namespace headlight
