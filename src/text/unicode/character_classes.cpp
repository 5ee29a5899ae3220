#include "text/unicode/character_classes.h"

#include <span>

#include "text/unicode/character_tables.h"

namespace headlight {
namespace {

bool is_in(std::span<const CharacterRange> table, char32_t c) {
  return find_row(table, c) != nullptr;
}

}  // namespace

bool is_other_white_space(char32_t c) { return is_in(kWhiteSpace, c); }

bool is_other_punctuation(char32_t c) { return is_in(kPunctuation, c); }

bool is_word_character(char32_t c) {
  if (is_ascii(c)) return is_ascii_letter_or_digit(c) || c == U'_';
  return is_in(kWordCharacters, c);
}

bool is_other_letter(char32_t c) {
  const CategoryRange* range = find_row(kCategories, c);
  return range != nullptr && range->category <= Category::lo;
}

bool is_other_number(char32_t c) {
  const CategoryRange* range = find_row(kCategories, c);
  return range != nullptr && range->category >= Category::nd && range->category <= Category::no;
}

bool is_digit(char32_t c) {
  if (is_ascii(c)) return is_ascii_digit(c);
  return is_in(kDigits, c);
}

bool is_unclean(char32_t c) {
  if (c >= U' ' && c < 0x7FU) return false;
  return is_in(kUnclean, c);
}

bool is_chinese(char32_t c) { return c >= kFirstChinese && is_in(kChinese, c); }

bool is_nonspacing_mark(char32_t c) { return c >= kFirstAccented && is_in(kNonspacingMarks, c); }

bool is_mark(char32_t c) { return c >= kFirstAccented && is_in(kMarks, c); }

bool is_decomposing(char32_t c) { return c >= kFirstAccented && is_in(kDecomposing, c); }

bool is_compatibly_decomposing(char32_t c) {
  return c >= kFirstCompatible && is_in(kCompatiblyDecomposing, c);
}

bool is_reordered(char32_t c) { return c >= kFirstAccented && is_in(kReordered, c); }

char32_t to_other_lowercase(char32_t c) {
  const LowercaseRun* run = find_row(kLowercase, c);
  if (run == nullptr || (c - run->first) % run->step != 0) return c;
  return static_cast<char32_t>(static_cast<std::int32_t>(c) + run->distance);
}

}  // namespace headlight
