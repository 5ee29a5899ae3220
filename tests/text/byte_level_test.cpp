// Byte-level tokenizers: the words of GPT-2, and bytes as characters.
#include "text/splitters/byte_level.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "text/unicode/character_classes.h"
#include "text_support.h"

namespace headlight::byte_level_test {
namespace {

SplitText applied(const SplitStep& step, std::string_view text, std::size_t begin = 0) {
  SplitText split{NormalizedText(to_code_points(text), begin), {}};
  split.pieces.push_back({0, static_cast<std::uint32_t>(split.text.size())});
  step.apply(split);
  return split;
}

std::string words_of(const SplitText& split) {
  std::vector<std::string> words;
  for (const Span piece : split.pieces) words.push_back(to_utf8(split.text.view(piece)));
  return joined(words);
}

}  // namespace

TEST_CASE("each byte is a character of its own") {
  std::set<char32_t> characters;
  for (int byte = 0; byte < 256; ++byte) {
    characters.insert(byte_character(static_cast<unsigned char>(byte)));
  }
  CHECK(characters.size() == 256);
  CHECK(std::none_of(characters.begin(), characters.end(), is_white_space));
  CHECK(byte_character('a') == U'a');
  CHECK(byte_character(0x00) == 0x100);
  CHECK(byte_character('\n') == 0x10A);
  CHECK(byte_character(' ') == 0x120);
  CHECK(byte_character(0x7F) == 0x121);
  CHECK(byte_character(0x80) == 0x122);
  CHECK(byte_character(0xA0) == 0x142);
  CHECK(byte_character(0xAD) == 0x143);
  CHECK(byte_character(0xFF) == 0xFF);
}

TEST_CASE("words as GPT-2 cuts them") {
  struct Row {
    const char* text;
    const char* words;
  };
  const Row rows[] = {
      {"Hello world", "Hello|Ġworld"},
      {"don't DON'T we'll", "don|'t|ĠDON|'|T|Ġwe|'ll"},
      {"'tis 's're", "'t|is|Ġ'|s|'re"},
      {"a1b22 33", "a|1|b|22|Ġ33"},
      {"x!? ?!", "x|!?|Ġ?!"},
      {"  two  spaces", "Ġ|Ġtwo|Ġ|Ġspaces"},
      {"end  ", "end|ĠĠ"},
      {" ", "Ġ"},
      {"a\tb", "a|ĉ|b"},
      {"a \n b", "a|ĠĊ|Ġb"},
      {"a\n\nb", "a|Ċ|Ċ|b"},
      {"a\u3000b", "a|ãĢĢ|b"},
      {"½² Ⅷ", "Â½Â²|Ġâħ§"},
      {"café", "cafÃ©"},
      {"e\u0301", "e|Ìģ"},
  };
  for (const auto& [text, words] : rows) {
    CAPTURE(printable(text));
    CHECK(words_of(applied(ByteLevelSplit(false, true), text)) == words);
  }
}

TEST_CASE("a blank is put before a text that has none") {
  const SplitText split = applied(ByteLevelSplit(true, true), "é b", 7);
  CHECK(words_of(split) == "ĠÃ©|Ġb");
  CHECK(split.text.origins == std::vector<std::uint32_t>{7, 7, 7, 8, 9});
  CHECK(words_of(applied(ByteLevelSplit(true, true), " a")) == "Ġa");
  CHECK(words_of(applied(ByteLevelSplit(true, true), "\ta")) == "Ġ|ĉ|a");
  CHECK(words_of(applied(ByteLevelSplit(true, false), "a b")) == "ĠaĠb");
}

TEST_CASE("bytes alone, with the origins of their characters") {
  NormalizedText text(U"a é", 3);
  SpellBytes().apply(text);
  CHECK(to_utf8(text.characters) == "aĠÃ©");
  CHECK(text.origins == std::vector<std::uint32_t>{3, 4, 5, 5});
}

}  // namespace headlight::byte_level_test
