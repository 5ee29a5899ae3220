// Which tokens are one word, and how wide text is.
#include "text/token_words.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "text/unicode/columns.h"

namespace headlight::token_words_test {
namespace {

struct Token {
  const char* text;
  Offset offset;
  Sequence sequence = Sequence::first;
};

constexpr Token kClass{"[CLS]", {0, 0}, Sequence::none};
constexpr Token kEnd{"[SEP]", {0, 0}, Sequence::none};

Encoding encoding_of(const std::vector<Token>& tokens) {
  Encoding encoding;
  for (const auto& [text, offset, sequence] : tokens) {
    encoding.ids.push_back(0);
    encoding.tokens.emplace_back(text);
    encoding.offsets.push_back(offset);
    encoding.sequences.push_back(sequence);
  }
  return encoding;
}

TEST_CASE("tokens that touch are one word, unless blanks, punctuation or Chinese part them") {
  struct Row {
    const char* about;
    std::string text;
    std::vector<Token> tokens;
    std::vector<std::string> words;
  };
  const Row rows[] = {{"pieces",
                       "unfit film",
                       {kClass, {"un", {0, 2}}, {"##fit", {2, 5}}, {"film", {6, 10}}, kEnd},
                       {"[CLS]", "unfit", "film", "[SEP]"}},
                      {"as typed", "UNFIT", {{"un", {0, 2}}, {"##fit", {2, 5}}}, {"UNFIT"}},
                      {"punctuation",
                       "not-bad!",
                       {{"not", {0, 3}}, {"-", {3, 4}}, {"bad", {4, 7}}, {"!", {7, 8}}},
                       {"not", "-", "bad", "!"}},
                      {"a blank inside a token",
                       "a film",
                       {{"▁a", {0, 1}}, {"▁fi", {1, 4}}, {"lm", {4, 6}}},
                       {"a", "film"}},
                      {"Chinese", "中文", {{"中", {0, 1}}, {"文", {1, 2}}}, {"中", "文"}},
                      {"Thai", "ดีมาก", {{"ดี", {0, 2}}, {"มาก", {2, 5}}}, {"ดี", "มาก"}},
                      {"bytes of one character", "😀", {{"Ã", {0, 1}}, {"°", {0, 1}}}, {"😀"}},
                      {"ids that were typed", "7 8", {{"7", {0, 0}}, {"8", {0, 0}}}, {"7", "8"}},
                      {"nothing", "", {}, {}}};
  for (const Row& row : rows) {
    CAPTURE(row.about);
    std::vector<std::string> found;
    std::size_t end = 0;
    for (const TokenWord& word : words_of(encoding_of(row.tokens), row.text, std::nullopt)) {
      CHECK(word.begin == end);
      end = word.end;
      found.push_back(word.text);
    }
    CHECK(found == row.words);
    CHECK(end == row.tokens.size());
  }
}

TEST_CASE("a word of the pair does not go on where the first text ends") {
  const auto words = words_of(
      encoding_of(
          {{"ab", {0, 2}}, {"cd", {0, 2}, Sequence::second}, {"ef", {2, 4}, Sequence::second}}),
      "ab", "cdef");
  REQUIRE(words.size() == 2);
  CHECK(words[0].text == "ab");
  CHECK(words[1].text == "cdef");
  CHECK(words[1].offset == Offset{0, 4});
  CHECK(words[1].sequence == Sequence::second);
}

TEST_CASE("wide letters take two columns, and marks none") {
  struct Row {
    std::u32string text;
    std::size_t columns;
  };
  const Row rows[] = {{U"", 0},     {U"plain", 5}, {U"é", 1},        {U"e\u0301", 1},
                      {U"中文", 4}, {U"ｆ", 2},    {U"ﾊ", 1},        {U"😀", 2},
                      {U"한", 2},   {U"▁a", 2},    {U"a\u200Db", 2}, {U"עברית", 5}};
  for (const auto& [text, columns] : rows) CHECK(columns_of(text) == columns);
}

}  // namespace
}  // namespace headlight::token_words_test
