// Token to id and back, prefixes, and what a line of a vocab.txt is.
#include "text/models/vocabulary.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "text/files/vocabulary_file.h"
#include "text_support.h"

namespace headlight::vocabulary_test {

TEST_CASE("tokens and ids find each other") {
  const Vocabulary vocabulary(std::vector<std::string>{"a", "", "b", "a", "ü"});
  CHECK(vocabulary.id("b") == 2);
  CHECK(vocabulary.id("ü") == 4);
  CHECK(vocabulary.id("") == 1);
  CHECK_FALSE(vocabulary.id("c").has_value());
  CHECK_FALSE(vocabulary.id("a longer string than any").has_value());
  CHECK(vocabulary.id_limit() == 5);
  REQUIRE(vocabulary.token(2) != nullptr);
  CHECK(*vocabulary.token(2) == "b");
  CHECK(vocabulary.token(5) == nullptr);
}

TEST_CASE("a repeated token keeps its last id") {
  const Vocabulary vocabulary(std::vector<std::string>{"a", "b", "a"});
  CHECK(vocabulary.id("a") == 2);
  CHECK(vocabulary.index().size() == 2);
}

TEST_CASE("ids may have holes and any order") {
  const Vocabulary vocabulary(std::vector<Vocabulary::Entry>{{"z", 9}, {"a", 2}});
  CHECK(vocabulary.id_limit() == 10);
  CHECK(vocabulary.token(3) == nullptr);
  CHECK(*vocabulary.token(9) == "z");
}

TEST_CASE("of a repeated id the first token is shown") {
  const Vocabulary vocabulary(std::vector<Vocabulary::Entry>{{"a", 1}, {"b", 1}, {"c", 2}});
  CHECK(*vocabulary.token(1) == "a");
  CHECK(*vocabulary.token(2) == "c");
  CHECK(vocabulary.token(0) == nullptr);
}

TEST_CASE("a word as it is looked up, short and long") {
  for (const std::size_t length : {0U, 1U, 63U, 64U, 65U, 200U}) {
    CAPTURE(length);
    const std::u32string word(length, U'\u4E2D');
    CHECK(Utf8Word(word).view() == to_utf8(word));
  }
}

TEST_CASE("the longest prefix") {
  struct Row {
    const char* text;
    int id;  // -1: none
    std::size_t bytes;
  };
  TokenIndex index(4);
  index.insert("", 0);
  index.insert("a", 1);
  index.insert("abc", 2);
  index.insert("aé", 3);
  const Row rows[] = {{"a", 1, 1},  {"ab", 1, 1}, {"abcd", 2, 3}, {"aé", 3, 3},
                      {"aè", 1, 1}, {"b", -1, 0}, {"", -1, 0},    {"aéé", 3, 3}};
  for (const auto& [text, id, bytes] : rows) {
    CAPTURE(text);
    const auto found = index.find_longest_prefix(text);
    REQUIRE(found.has_value() == (id >= 0));
    if (!found) continue;
    CHECK(found->id == static_cast<TokenId>(id));
    CHECK(found->bytes == bytes);
  }
}

TEST_CASE("many tokens") {
  constexpr TokenId kTokens = 20000;
  TokenIndex index(kTokens);
  for (TokenId id = 0; id < kTokens; ++id) index.insert("token" + std::to_string(id), id);
  CHECK(index.size() == kTokens);
  for (TokenId id = 0; id < kTokens; ++id) {
    REQUIRE(index.find("token" + std::to_string(id)) == id);
  }
}

TEST_CASE("tokens that are inserted together are found like single ones, repeated ones too") {
  for (const TokenId count : {0U, 1U, 15U, 16U, 17U, 33U, 5000U}) {
    CAPTURE(count);
    const TokenId different = count < 20 ? count : count - 20;
    std::vector<TokenEntry> entries;
    TokenIndex expected(count);
    for (TokenId id = 0; id < count; ++id) {
      entries.push_back({"token" + std::to_string(id % different), id});
      expected.insert(entries.back().token, id);
    }
    TokenIndex index(count);
    index.insert_all(entries);
    CHECK(index.size() == different);
    CHECK(index.longest() == expected.longest());
    for (const TokenEntry& entry : entries) {
      REQUIRE(index.find(entry.token) == expected.find(entry.token));
    }
  }
}

TEST_CASE("vocab.txt: white space at a line's end goes, blank lines count") {
  struct Row {
    const char* content;
    const char* tokens;
  };
  const Row rows[] = {
      {"a\nb\n", "a|b"},    {"a\nb", "a|b"},  {"a\r\nb \t\n", "a|b"},
      {"a\n\nb\n", "a||b"}, {" a\n", " a"},   {"a\u3000\nb\u00a0c\n", "a|b\u00a0c"},
      {"a\n\n", "a|"},      {"\n\na", "||a"}, {"a\u0085b\u2028\nc", "a\u0085b|c"},
  };
  for (const auto& [content, tokens] : rows) {
    CAPTURE(printable(content));
    const TemporaryFolder folder;
    const std::string file = folder.write("vocab.txt", content);
    std::string found;
    const auto words = read_vocabulary(file);
    for (std::size_t i = 0; i < words.size(); ++i) found += (i == 0 ? "" : "|") + words[i];
    CHECK(found == tokens);
  }
}

TEST_CASE("a vocab.txt that is none") {
  for (const char* content : {"", "\n", " \n\t\n", "a\n\xff\n"}) {
    CAPTURE(printable(content));
    const TemporaryFolder folder;
    const std::string file = folder.write("vocab.txt", content);
    CHECK_THROWS_AS(read_vocabulary(file), Error);
  }
  CHECK_THROWS_AS(read_vocabulary("/nonexistent/vocab.txt"), Error);
}

}  // namespace headlight::vocabulary_test
