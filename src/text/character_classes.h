// What the reference tokenizer takes a character for. Its classes come from several Unicode
// versions, so no Unicode library gives them: they are measured tables (character_tables.h).
#pragma once

namespace headlight {

/// White_Space, what \s matches.
bool is_white_space(char32_t c);
/// BERT's punctuation: the ASCII symbols, $ + < = > ^ ` | ~ among them, and P* of Unicode 8.0.
bool is_punctuation(char32_t c);
/// What \w matches: letters, marks, digits, connecting punctuation, joiners.
bool is_word_character(char32_t c);
/// What \p{L} and \p{N} match, as in the pattern of GPT-2.
bool is_letter(char32_t c);
bool is_number(char32_t c);
/// What Digits splits at: \p{N} of a newer Unicode.
bool is_digit(char32_t c);
/// What BERT's clean_text removes: controls but TAB, LF and CR; format, private use, U+FFFD.
bool is_unclean(char32_t c);
/// What BERT puts blanks around. Not kana, not Hangul; with the reference's 2B920 for 2B820.
bool is_chinese(char32_t c);
/// Mn of Unicode 8.0, what BERT's strip_accents drops after decomposition.
bool is_nonspacing_mark(char32_t c);
/// M*, what the reference's StripAccents drops.
bool is_mark(char32_t c);
/// Has a canonical decomposition in Unicode 9.0.
bool is_decomposing(char32_t c);
/// Has a canonical or compatible decomposition in Unicode 9.0.
bool is_compatibly_decomposing(char32_t c);
/// Has a combining class other than 0 in Unicode 9.0.
bool is_reordered(char32_t c);
/// The lower case of a character on its own, itself where it has none. Not for U+0130, whose lower
/// case is two characters.
char32_t to_lowercase(char32_t c);

}  // namespace headlight
