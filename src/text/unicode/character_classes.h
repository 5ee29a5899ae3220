// The character classes of the reference tokenizer. They come from several Unicode versions, so no
// Unicode library has them. The tables are measured on the reference (character_tables.h).
#pragma once

#include <string_view>

namespace headlight {

/// The classes of non-ASCII characters, for the functions below.
bool is_other_white_space(char32_t c);
bool is_other_punctuation(char32_t c);
bool is_other_letter(char32_t c);
bool is_other_number(char32_t c);
char32_t to_other_lowercase(char32_t c);

constexpr bool is_ascii(char32_t c) { return c < 0x80U; }

constexpr bool is_ascii_letter(char32_t c) {
  return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
}

constexpr bool is_ascii_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

constexpr bool is_ascii_letter_or_digit(char32_t c) {
  return is_ascii_letter(c) || is_ascii_digit(c);
}

/// Whether every character of `text` is below `limit`. Always reads all of them, several at a time.
inline bool are_below(std::u32string_view text, char32_t limit) {
  unsigned others = 0;
  for (const char32_t c : text) others |= c < limit ? 0U : 1U;
  return others == 0;
}

/// Whether `text` has only printable ASCII characters.
inline bool are_printable_ascii(std::u32string_view text) {
  unsigned others = 0;
  for (const char32_t c : text) others |= c >= U' ' && c < 0x7FU ? 0U : 1U;
  return others == 0;
}

/// White_Space: the characters that \s matches.
constexpr bool is_white_space(char32_t c) {
  if (is_ascii(c)) return c == U' ' || (c >= U'\t' && c <= U'\r');
  return is_other_white_space(c);
}
/// BERT's punctuation: all ASCII symbols (also $ + < = > ^ ` | ~) and P* of Unicode 8.0.
constexpr bool is_punctuation(char32_t c) {
  if (is_ascii(c)) return c > U' ' && c < 0x7FU && !is_ascii_letter_or_digit(c);
  return is_other_punctuation(c);
}
/// The characters that \w matches: letters, marks, digits, connector punctuation, joiners.
bool is_word_character(char32_t c);
/// The characters that \p{L} and \p{N} match, as in the GPT-2 pattern.
constexpr bool is_letter(char32_t c) {
  return is_ascii(c) ? is_ascii_letter(c) : is_other_letter(c);
}
constexpr bool is_number(char32_t c) {
  return is_ascii(c) ? is_ascii_digit(c) : is_other_number(c);
}
/// The characters that Digits splits at: \p{N} of a newer Unicode version.
bool is_digit(char32_t c);
/// The characters that BERT's clean_text removes: control characters except TAB, LF and CR; format,
/// private use, U+FFFD.
bool is_unclean(char32_t c);
/// The characters that BERT puts spaces around. Not kana, not Hangul. With the reference's 2B920
/// instead of 2B820.
bool is_chinese(char32_t c);
/// Mn of Unicode 8.0: the characters that BERT's strip_accents removes after decomposition.
bool is_nonspacing_mark(char32_t c);
/// M*: the characters that the reference's StripAccents removes.
bool is_mark(char32_t c);
/// Has a canonical decomposition in Unicode 9.0.
bool is_decomposing(char32_t c);
/// Has a canonical or compatible decomposition in Unicode 9.0.
bool is_compatibly_decomposing(char32_t c);
/// Has a combining class other than 0 in Unicode 9.0.
bool is_reordered(char32_t c);
/// The lower case of a character, or the character itself if it has none. Not for U+0130, whose
/// lower case is two characters.
constexpr char32_t to_lowercase(char32_t c) {
  if (is_ascii(c)) return c >= U'A' && c <= U'Z' ? c + 32U : c;
  return to_other_lowercase(c);
}

/// The first character that is a mark or has a decomposition or a combining class. Most text is
/// below.
inline constexpr char32_t kFirstAccented = 0xC0;
/// The first character that has a compatible decomposition.
inline constexpr char32_t kFirstCompatible = 0xA0;
/// The first Chinese character.
inline constexpr char32_t kFirstChinese = 0x3400;

}  // namespace headlight
