// What is cut out of a text: the rules of matching, as the reference has them.
#include "text/pipeline/added_tokens.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "text_support.h"

namespace headlight::added_tokens_test {
namespace {

/// The parts of a text, added tokens in brackets: "a|<[SEP]>|b".
std::string parts_of(const AddedTokenMatcher& matcher, std::string_view text,
                     bool plain_text = false) {
  const std::u32string characters = to_code_points(text);
  std::vector<std::string> shown;
  for (const auto& [span, token] : matcher.cut(characters, plain_text)) {
    const std::string part = to_utf8(characters.substr(span.begin, span.end - span.begin));
    shown.push_back(token == nullptr ? part : "<" + part + ">");
  }
  return joined(shown);
}

struct Row {
  const char* text;
  const char* parts;
};

void check(const std::vector<AddedToken>& tokens, std::initializer_list<Row> rows) {
  const AddedTokens added(tokens, Normalizer());
  for (const auto& [text, parts] : rows) {
    CAPTURE(text);
    CHECK(parts_of(added.in_raw_text(), text) == parts);
  }
}

}  // namespace

TEST_CASE("leftmost, then longest") {
  check({{.content = "ab"}, {.content = "abc"}, {.content = "bcd"}, {.content = "[SEP]"}},
        {
            {"", ""},
            {"xyz", "xyz"},
            {"xabcd", "x|<abc>|d"},
            {"abab", "<ab>|<ab>"},
            {"abbcd", "<ab>|<bcd>"},
            {"a[SEP]b[SEP", "a|<[SEP]>|b[SEP"},
            {"[sep]", "[sep]"},
            {"[[SEP]]", "[|<[SEP]>|]"},
            {"é[SEP]é", "é|<[SEP]>|é"},
        });
}

TEST_CASE("long tokens are found as short ones are, in time proportional to the text") {
  // Every part of these texts is the beginning of a long token, so the automaton is used.
  std::vector<AddedToken> tokens = {{.content = "aab"}, {.content = "b"}, {.content = "aa"}};
  tokens.push_back({.content = std::string(3000, 'a') + "c"});
  tokens.push_back({.content = std::string(40, 'a')});
  std::string text = std::string(5000, 'a') + "b" + std::string(3041, 'a') + "cd";
  std::uint32_t seed = 1;
  for (int i = 0; i < 100'000; ++i) {
    seed = seed * 1103515245U + 12345U;
    text += (seed >> 16U) % 40 == 0 ? 'b' : 'a';
  }
  std::string expected;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t longest = 0;
    for (const AddedToken& token : tokens) {
      const bool fits = text.compare(at, token.content.size(), token.content) == 0;
      if (fits) longest = std::max(longest, token.content.size());
    }
    const std::size_t size = std::max<std::size_t>(longest, 1);
    const std::string part = text.substr(at, size);
    const bool follows = !expected.empty() && (longest > 0 || expected.back() == '>');
    expected += (follows ? "|" : "") + (longest > 0 ? "<" + part + ">" : part);
    at += size;
  }
  const AddedTokens added(tokens, Normalizer());
  CHECK((parts_of(added.in_raw_text(), text) == expected));

  const std::string many(2'000'000, 'a');
  const AddedTokens one({{.content = std::string(50'000, 'a') + "b"}}, Normalizer());
  // Comparing them at each place would take minutes.
  CHECK((parts_of(one.in_raw_text(), many) == many));
}

TEST_CASE("white space on the left and the right, none of it twice") {
  check({{.content = "<l>", .lstrip = true}, {.content = "<r>", .rstrip = true}},
        {
            {"a  <l>  b", "a|<  <l>>|  b"},
            {"a \n<r>\u3000 b", "a \n|<<r>\u3000 >|b"},
            {"<r>  <l>", "<<r>  >|<<l>>"},
            {"<l> <r>", "<<l>>| |<<r>>"},
        });
}

TEST_CASE("single words") {
  check({{.content = "dog", .single_word = true}, {.content = "do"}},
        {
            {"dog", "<dog>"},
            {"a dog.", "a |<dog>|."},
            {"dogs", "dogs"},  // the longest match is refused as a whole
            {"_dog", "_dog"},
            {"édog", "édog"},
            {"dog\u0301", "dog\u0301"},
            {"doge do", "doge |<do>"},
        });
}

TEST_CASE("plain text keeps special tokens as text, others are still cut") {
  const AddedTokens added({{.content = "[SEP]", .special = true}, {.content = "ab"}}, Normalizer());
  CHECK(parts_of(added.in_raw_text(), "[SEP]ab") == "<[SEP]>|<ab>");
  CHECK(parts_of(added.in_raw_text(), "[SEP]ab", true) == "[SEP]|<ab>");
}

TEST_CASE("normalized tokens are matched in their normalized spelling") {
  Normalizer normalizer;
  normalizer.add(std::make_unique<Lowercase>());
  const AddedTokens added({{.content = "New York", .id = 5, .normalized = true},
                           {.content = "NEW YORK", .id = 6, .normalized = true},
                           {.content = "X", .id = 7}},
                          normalizer);
  CHECK(parts_of(added.in_raw_text(), "new yorkX") == "new york|<X>");
  CHECK(parts_of(added.in_normalized_text(), "new york") == "<new york>");
  const auto parts = added.in_normalized_text().cut(U"new york", false);
  REQUIRE(parts.size() == 1);
  CHECK(parts.front().token->id == 5);
  CHECK(added.find(7)->content == "X");
  CHECK(added.find("NEW YORK")->id == 6);
  CHECK(added.find(8) == nullptr);
  CHECK(added.id_limit() == 8);
}

TEST_CASE("matching takes linear time") {
  const AddedTokens added({{.content = "[SEP]"}, {.content = "<l>", .lstrip = true}}, Normalizer());
  const std::u32string brackets(4'000'000, U'[');
  CHECK(added.in_raw_text().cut(brackets, false).size() == 1);
  std::u32string blanks;
  for (int i = 0; i < 200'000; ++i) blanks += U"      <l>";
  CHECK(added.in_raw_text().cut(blanks, false).size() == 200'000);
}

}  // namespace headlight::added_tokens_test
