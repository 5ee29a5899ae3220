#include "text/token_words.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/utf8.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

bool stands_alone(char32_t c) { return is_white_space(c) || is_punctuation(c) || has_no_blanks(c); }

/// Whether the token at `next` continues the word that ends at `word.end`.
bool continues(const std::u32string& text, const Offset& word, const Offset& next) {
  if (next.begin >= next.end || next.begin > word.end || next.end > text.size()) return false;
  if (next.begin < word.end) return true;  // several tokens of one character
  return !stands_alone(text[word.end - 1]) && !stands_alone(text[next.begin]);
}

std::string without_blanks(std::u32string_view text) {
  while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_white_space(text.back())) text.remove_suffix(1);
  return to_utf8(text);
}

}  // namespace

bool has_no_blanks(char32_t c) {
  constexpr std::array<std::array<char32_t, 2>, 9> kScripts = {
      {{0x0E00, 0x0FFF},    // Thai to Tibetan
       {0x1000, 0x109F},    // Burmese
       {0x1780, 0x17FF},    // Khmer
       {0x1950, 0x19FF},    // Tai, Khmer
       {0x1A20, 0x1AAF},    // Tai Tham
       {0x3040, 0x30FF},    // kana
       {0x31F0, 0x31FF},    // kana
       {0xA9E0, 0xAADF},    // Burmese, Tai Viet
       {0xFF66, 0xFF9F}}};  // kana
  return is_chinese(c) || std::ranges::any_of(kScripts, [c](const auto& script) {
           return script[0] <= c && c <= script[1];
         });
}

std::vector<TokenWord> words_of(const Encoding& encoding, const std::string& text,
                                const std::optional<std::string>& pair) {
  const std::u32string first = to_code_points(text);
  const std::u32string second = to_code_points(pair.value_or(""));
  const auto whole = [&](Sequence sequence) -> const std::u32string& {
    return sequence == Sequence::second ? second : first;
  };
  std::vector<TokenWord> words;
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    const Offset& offset = encoding.offsets[i];
    const Sequence sequence = encoding.sequences[i];
    if (sequence != Sequence::none && !words.empty() && words.back().sequence == sequence &&
        words.back().offset.end > 0 && continues(whole(sequence), words.back().offset, offset)) {
      words.back().end = i + 1;
      words.back().offset.end = std::max(words.back().offset.end, offset.end);
    } else {
      words.push_back({encoding.tokens[i], i, i + 1, offset, sequence});
    }
  }
  for (TokenWord& word : words) {
    const std::u32string& source = whole(word.sequence);
    const auto [begin, end] = word.offset;
    if (word.sequence == Sequence::none || begin >= end || end > source.size()) continue;
    std::string typed = without_blanks(std::u32string_view(source).substr(begin, end - begin));
    if (!typed.empty()) word.text = std::move(typed);
  }
  return words;
}

}  // namespace headlight
