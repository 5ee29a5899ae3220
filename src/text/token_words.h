// Groups the tokens of each word.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// The tokens of one word, or one special token.
struct TokenWord {
  std::string text;       // as in the text; for a special token, its name
  std::size_t begin = 0;  // range of its tokens, half-open
  std::size_t end = 0;
  Offset offset;  // in code points of its text; [0,0] for an inserted token
  Sequence sequence = Sequence::none;
};

/// Whether a character's script is written without blanks between words: Chinese, Japanese, Thai,
/// Lao, Burmese, Khmer, Tibetan and their neighbours. Not Korean.
bool has_no_blanks(char32_t c);

/// The words of an encoding, in order. Every token is in exactly one word. A token belongs to the
/// word before it if both are from one text and are adjacent, unless one of the two adjacent
/// characters is white space, punctuation (Devlin et al. 2019, BasicTokenizer) or of a script
/// without blanks. A token without offsets, such as a typed id, is its own word.
std::vector<TokenWord> words_of(const Encoding& encoding, const std::string& text,
                                const std::optional<std::string>& pair);

}  // namespace headlight
