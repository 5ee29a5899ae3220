// Which tokens are pieces of one word.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// A run of tokens that stand for one word, or one special token.
struct TokenWord {
  std::string text;       // as it was typed; a special token's name
  std::size_t begin = 0;  // its tokens, half open
  std::size_t end = 0;
  Offset offset;  // in code points of its text; [0,0] for a token that was put in
  Sequence sequence = Sequence::none;
};

/// The words of an encoding, in order; every token is in one of them. A token belongs to the word
/// before it where both are of one text and touch there, unless white space, punctuation or a
/// Chinese character stands on either side of the seam (Devlin et al. 2019, BasicTokenizer). Tokens
/// without offsets, such as ids that were typed, are words of their own.
std::vector<TokenWord> words_of(const Encoding& encoding, const std::string& text,
                                const std::optional<std::string>& pair);

}  // namespace headlight
