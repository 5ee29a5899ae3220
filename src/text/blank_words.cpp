#include "text/blank_words.h"

#include "text/unicode/character_classes.h"

namespace headlight {

std::vector<Offset> words_between_blanks(std::u32string_view text) {
  std::vector<Offset> words;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool blank = is_white_space(text[i]);
    if (!blank && !in_word) words.push_back({i, i});
    if (!blank) words.back().end = i + 1;
    in_word = !blank;
  }
  return words;
}

}  // namespace headlight
