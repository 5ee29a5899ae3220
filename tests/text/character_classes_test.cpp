// The classes are measured ones; these are the places where Unicode's versions differ.
#include "text/unicode/character_classes.h"

#include <array>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace headlight::character_classes_test {
namespace {

using Class = bool (*)(char32_t);

bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

int count(Class is_member) {
  int members = 0;
  for (char32_t c = 0; c < 0x110000; ++c) members += !is_surrogate(c) && is_member(c) ? 1 : 0;
  return members;
}

}  // namespace

TEST_CASE("the classes have the reference's sizes") {
  CHECK(count(is_white_space) == 25);
  CHECK(count(is_punctuation) == 717 + 9);
  CHECK(count(is_nonspacing_mark) == 1567);
  CHECK(count(is_chinese) == 81264);
}

TEST_CASE("no member of a class stands before the first one that is asked for") {
  for (char32_t c = 0; c < kFirstChinese; ++c) {
    CAPTURE(static_cast<std::uint32_t>(c));
    CHECK_FALSE(is_chinese(c));
    if (c >= kFirstAccented) continue;
    CHECK_FALSE((is_nonspacing_mark(c) || is_mark(c) || is_decomposing(c) || is_reordered(c)));
    if (c < kFirstCompatible) CHECK_FALSE(is_compatibly_decomposing(c));
  }
}

TEST_CASE("what is asked of all characters of a text") {
  struct Row {
    std::u32string text;
    bool are_below;  // U+00C0
    bool are_printable;
  };
  const Row rows[] = {
      {U"", true, true},
      {U"a ~", true, true},
      {U"a\tb", true, false},
      {U"a\x7F", true, false},
      {U"\u00BF", true, false},
      {U"\u00C0", false, false},
      {U"abc\u4E2D", false, false},
      {std::u32string(100, U'x'), true, true},
  };
  for (const auto& [text, below, printable] : rows) {
    CHECK(are_below(text, kFirstAccented) == below);
    CHECK(are_printable_ascii(text) == printable);
  }
}

TEST_CASE("characters at the edges of the classes") {
  struct Row {
    const char* name;
    Class is_member;
    char32_t c;
    bool expected;
  };
  const Row rows[] = {
      {"no-break space is white", is_white_space, 0x00A0, true},
      {"next line is white", is_white_space, 0x0085, true},
      {"unit separator is not white", is_white_space, 0x001F, false},
      {"zero-width space is not white", is_white_space, 0x200B, false},
      {"the Mongolian vowel separator is no longer white", is_white_space, 0x180E, false},
      {"$ is punctuation", is_punctuation, U'$', true},
      {"~ is punctuation", is_punctuation, U'~', true},
      {"DEL is not", is_punctuation, 0x7F, false},
      {"the euro sign is not", is_punctuation, 0x20AC, false},
      {"the times sign is not", is_punctuation, 0x00D7, false},
      {"an emoji is not", is_punctuation, 0x1F600, false},
      {"moved out of P later", is_punctuation, 0x166D, true},
      {"moved out of P later", is_punctuation, 0x111C9, true},
      {"younger than Unicode 8", is_punctuation, 0x2E43, false},
      {"younger than Unicode 8", is_punctuation, 0x061D, false},
      {"the last of Unicode 8", is_punctuation, 0x2E42, true},
      {"a mark past 036F", is_nonspacing_mark, 0x1AB0, true},
      {"a spacing mark", is_nonspacing_mark, 0x0903, false},
      {"a mark younger than Unicode 8", is_nonspacing_mark, 0x1E000, false},
      {"was Mn, is Mc", is_nonspacing_mark, 0x1734, true},
      {"any mark", is_mark, 0x0903, true},
      {"an enclosing mark", is_mark, 0x20DD, true},
      {"NUL is unclean", is_unclean, 0x0000, true},
      {"TAB is clean", is_unclean, U'\t', false},
      {"LF is clean", is_unclean, U'\n', false},
      {"CR is clean", is_unclean, U'\r', false},
      {"a vertical tab is unclean", is_unclean, 0x000B, true},
      {"C1 is unclean", is_unclean, 0x0085, true},
      {"a soft hyphen is unclean", is_unclean, 0x00AD, true},
      {"the joiner is unclean", is_unclean, 0x200D, true},
      {"the vowel separator is unclean", is_unclean, 0x180E, true},
      {"private use is unclean", is_unclean, 0xE000, true},
      {"plane 16 is unclean", is_unclean, 0x10FFFD, true},
      {"the replacement character is unclean", is_unclean, 0xFFFD, true},
      {"unassigned is clean", is_unclean, 0x0378, false},
      {"Cf younger than Unicode 8 is clean", is_unclean, 0x110CD, false},
      {"kana is not Chinese", is_chinese, 0x30D0, false},
      {"Hangul is not Chinese", is_chinese, 0xD55C, false},
      {"the ideographic zero is not", is_chinese, 0x3007, false},
      {"the reference's gap begins", is_chinese, 0x2B820, false},
      {"the reference's gap ends", is_chinese, 0x2B920, true},
      {"the last of extension E", is_chinese, 0x2CEAF, true},
      {"a compatibility ideograph", is_chinese, 0xF900, true},
      {"_ is a word character", is_word_character, U'_', true},
      {"the joiner is a word character", is_word_character, 0x200D, true},
      {"a mark is a word character", is_word_character, 0x0301, true},
      {"a circled letter is a word character", is_word_character, 0x24B6, true},
      {"a circled digit is not", is_word_character, 0x2460, false},
      {"a superscript digit is not", is_word_character, 0x00B2, false},
      {"decomposes", is_decomposing, 0x00E9, true},
      {"has only a compatibility decomposition", is_decomposing, 0xFB01, false},
      {"decomposes since Unicode 13", is_decomposing, 0x11938, false},
      {"a combining class of Unicode 9", is_reordered, 0x1E000, true},
      {"a combining class since Unicode 14", is_reordered, 0x1AC1, false},
  };
  for (const auto& [name, is_member, c, expected] : rows) {
    CAPTURE(name);
    CAPTURE(static_cast<std::uint32_t>(c));
    CHECK(is_member(c) == expected);
  }
}

TEST_CASE("lower case of a character on its own") {
  struct Row {
    char32_t upper;
    char32_t lower;
  };
  const Row rows[] = {
      {U'A', U'a'},       {U'Z', U'z'},       {U'[', U'['},       {U'a', U'a'},
      {U'É', U'é'},       {U'×', U'×'},       {U'Ÿ', U'ÿ'},       {U'Σ', U'σ'},
      {U'ẞ', U'ß'},       {U'ß', U'ß'},       {U'Đ', U'đ'},       {U'ı', U'ı'},
      {0x0100, 0x0101},   {0x0101, 0x0101},   {0x01C4, 0x01C6},   {0x01C5, 0x01C6},
      {0x2126, 0x03C9},   {0x212A, U'k'},     {0x13A0, 0xAB70},   {0x1C90, 0x10D0},
      {0x10400, 0x10428}, {0x1D400, 0x1D400}, {0x1E921, 0x1E943}, {0x16EA0, 0x16EBB},
  };
  for (const auto& [upper, lower] : rows) {
    CAPTURE(static_cast<std::uint32_t>(upper));
    CHECK(static_cast<std::uint32_t>(to_lowercase(upper)) == static_cast<std::uint32_t>(lower));
  }
}

}  // namespace headlight::character_classes_test
