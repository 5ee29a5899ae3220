// Patterns: strings and regular expressions, and what cutting at their matches gives.
#include "text/splitters/pattern.h"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "text/splitters/splitter.h"
#include "text/unicode/character_tables.h"
#include "text_support.h"

namespace headlight::pattern_test {
namespace {

/// "0-2 2-3"
std::string matches_of(const Pattern& pattern, std::string_view text) {
  std::vector<std::string> matches;
  for (const auto [begin, end] : pattern.find_all(to_code_points(text))) {
    matches.push_back(std::to_string(begin) + "-" + std::to_string(end));
  }
  return joined(matches, " ");
}

std::string cut(const char* expression, Separators behavior, bool invert, std::string_view text) {
  SplitText split{normalized_text(text), {}};
  split.pieces.push_back({0, static_cast<std::uint32_t>(split.text.size())});
  PatternSplit(Pattern::of_expression(expression), behavior, invert).apply(split);
  std::vector<std::string> pieces;
  for (const Span piece : split.pieces) pieces.push_back(to_utf8(split.text.view(piece)));
  return joined(pieces);
}

std::string complaint(const char* expression) {
  try {
    Pattern::of_expression(expression);
  } catch (const Error& error) {
    return error.line();
  }
  return "";
}

}  // namespace

TEST_CASE("matches are counted in characters, left to right") {
  struct Row {
    const char* expression;
    const char* text;
    const char* matches;
  };
  const Row rows[] = {
      {"a", "aéa中a", "0-1 2-3 4-5"},
      {"é+", "xééé é", "1-4 5-6"},
      {"aa", "aaaaa", "0-2 2-4"},
      {"a|ab", "abab", "0-1 2-3"},
      {"(?i:É)", "éÉe", "0-1 1-2"},
      {"\\s+(?!\\S)", "a  b \u3000", "1-2 4-6"},
      {"x", "", ""},
      {"z", "abc", ""},
      {"", "aé", "0-0 1-1 2-2"},
      {"a*", "baac", "0-0 1-3 4-4"},  // none that is empty where one ends
      {"^", "ab\ncd", "0-0 3-3"},
      {"(?=b)", "abab", "1-1 3-3"},
      {"\\x{4E2D}", "a中", "1-2"},
  };
  for (const auto& [expression, text, matches] : rows) {
    CAPTURE(expression);
    CAPTURE(text);
    CHECK(matches_of(Pattern::of_expression(expression), text) == matches);
  }
}

TEST_CASE("a match that begins before the search ends it, also where \\K is in a lookaround") {
  CHECK(matches_of(Pattern::of_expression("(?<=\\Ka)"), "aab") == "0-1 1-2");
  CHECK(matches_of(Pattern::of_expression("(?<=\\Ka)b"), "abab") == "0-2 2-4");
  CHECK(matches_of(Pattern::of_expression("a\\Kb"), "abab") == "1-2 3-4");
  const Pattern twice = Pattern::of_expression("(?<=\\Ka)b|ab(?=\\K)|a");
  CHECK(matches_of(twice, "ab") != "x");  // it ends
  try {
    matches_of(Pattern::of_expression("a|(?<=\\Ka)b"), "ab");
    FAIL("the same character twice");
  } catch (const TextError& error) {
    CHECK(error.line() == "the tokenizer's pattern a|(?<=\\Ka)b matches the same characters twice");
  }
}

TEST_CASE("a string is no expression") {
  CHECK(matches_of(Pattern::of_string(U"."), "a.b.") == "1-2 3-4");
  CHECK(matches_of(Pattern::of_string(U"éé"), "ééééé") == "0-2 2-4");
  CHECK(matches_of(Pattern::of_string(U"a"), "") == "");
}

TEST_CASE("categories are the reference's") {
  const auto matches = [](const char* expression, char32_t c) {
    return !Pattern::of_expression(expression).find_all(std::u32string(1, c)).empty();
  };
  CHECK(matches("\\p{L}", 0x10D4A));  // a letter since Unicode 16
  CHECK(matches("\\p{Lu}", 0xA7CB));
  CHECK_FALSE(matches("[^\\p{L}]", 0x10D4A));
  CHECK_FALSE(matches("\\p{L}", 0x16EA0));  // since 17
  CHECK(matches("\\p{N}", 0xBD));
  CHECK_FALSE(matches("\\p{Nd}", 0xBD));
  CHECK(matches("\\p{M}", 0x0301));
  CHECK(matches("\\p{P}", U'!'));
  CHECK(matches("\\p{S}", U'$'));
  CHECK(matches("\\p{Z}", 0x3000));
}

TEST_CASE("[:punct:] and long names of categories are the reference's, too") {
  struct Row {
    const char* expression;
    const char* text;
    const char* matches;
  };
  const Row rows[] = {
      {"[[:punct:]]+", "a$b+!", "1-2 3-5"},  // symbols, too
      {"[[:punct:]][:punct:]", "$p+", "0-2"},   {"[^a[:punct:]]+", "a$bc+", "2-4"},
      {"[[:^punct:]]+", "a$b+", "0-1 2-3"},     {"[\\][:punct:]]+", "a]$", "1-3"},
      {"[:punct:]", ":$p", "0-1 2-3"},          {"\\[:punct:]", "[:punct:]", "0-9"},
      {"\\p{Letter}+", "\U00010D4A1", "0-1"},   {"\\P{Letter}", "\U00010D4A1", "1-2"},
      {"[\\p{^Letter}]", "\U00010D4A1", "1-2"}, {"\\\\p{1}", "\\pp", "0-2"},
  };
  for (const auto& [expression, text, matches] : rows) {
    CAPTURE(expression);
    CHECK(matches_of(Pattern::of_expression(expression), text) == matches);
  }
  CHECK(complaint("\\") == "end pattern at escape");
}

TEST_CASE("a pattern that cannot be read") {
  CHECK(complaint("(") == "end pattern with unmatched parenthesis");
  CHECK(complaint("[a") == "premature end of char-class");
  CHECK(complaint("\\p{Nonsense}") == "invalid character property name {Nonsense}");
  CHECK(complaint("*a") == "target of repeat operator is not specified");
  CHECK(complaint("a{2,1}") == "");
}

TEST_CASE("groups can be 300 deep, for stacks are small in browsers") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "a" + std::string(depth, ')');
  };
  CHECK(complaint(nested(290).c_str()).empty());
  CHECK(complaint(nested(310).c_str()) == "parse depth limit over");
}

TEST_CASE("a pattern that backtracks without end is an error of the text") {
  const Pattern pattern = Pattern::of_expression("(?:a|aa)+$");
  CHECK(matches_of(pattern, "aaa") == "0-3");
  const std::u32string text = std::u32string(100, U'a') + U"b";
  CHECK_THROWS_AS(pattern.find_all(text), TextError);
  CHECK(matches_of(pattern, "aaa") == "0-3");
}

TEST_CASE(
    "a pattern that reads the rest of the text at each character is an error of a long text") {
  const Pattern pattern = Pattern::of_expression("a*b|\\s+");
  CHECK(matches_of(pattern, std::string(1000, 'a')) == "");
  CHECK_THROWS_AS(pattern.find_all(std::u32string(150'000, U'a')), TextError);
}

TEST_CASE("a long text is searched as a whole") {
  const std::u32string text = std::u32string(100'000, U'é') + U"b";
  const auto matches = [&](const char* expression) {
    return Pattern::of_expression(expression).find_all(text);
  };
  CHECK(matches("b") == std::vector<Span>{{100'000, 100'001}});
  CHECK(matches("é+b$") == std::vector<Span>{{0, 100'001}});
  CHECK(matches("\\Gb").empty());
  CHECK(matches("\\G[éb]").size() == text.size());
  CHECK(matches("(?<=é)$").empty());
  CHECK(matches("(?<=b)$") == std::vector<Span>{{100'001, 100'001}});
}

TEST_CASE("what separates may be several characters, or none") {
  const char* text = "?éa--b-";
  const char* dash = "--|-|\\?";
  CHECK(cut(dash, Separators::isolated, false, text) == "?|éa|--|b|-");
  CHECK(cut(dash, Separators::removed, false, text) == "éa|b");
  CHECK(cut(dash, Separators::merged_with_previous, false, text) == "?|éa--|b-");
  CHECK(cut(dash, Separators::merged_with_next, false, text) == "?éa|--b|-");
  CHECK(cut(dash, Separators::contiguous, false, text) == "?|éa|--|b|-");
  const char* one = "-|\\?";
  CHECK(cut(one, Separators::isolated, false, text) == "?|éa|-|-|b|-");
  CHECK(cut(one, Separators::merged_with_previous, false, text) == "?|éa-|-|b-");
  CHECK(cut(one, Separators::merged_with_next, false, text) == "?éa|-|-b|-");
  CHECK(cut(one, Separators::contiguous, false, text) == "?|éa|--|b|-");
  CHECK(cut("(?=[ab])", Separators::isolated, false, text) == "?é|a--|b-");
  CHECK(cut("z", Separators::removed, false, text) == text);
}

TEST_CASE("inverted, what does not match separates") {
  const char* text = "ab1cd22";
  CHECK(cut("[a-z]+", Separators::removed, true, text) == "ab|cd");
  CHECK(cut("[a-z]", Separators::removed, true, text) == "a|b|c|d");
  CHECK(cut("[a-z]+", Separators::isolated, true, text) == "ab|1|cd|22");
  CHECK(cut("[a-z]+", Separators::merged_with_previous, true, text) == "ab1|cd22");
  CHECK(cut("[a-z]+", Separators::merged_with_next, true, text) == "ab|1cd|22");
}

TEST_CASE("pieces of a splitter before are cut each for itself") {
  SplitText split{normalized_text("a-b-c"), {{0, 2}, {3, 5}}};
  PatternSplit(Pattern::of_expression("(?<=b)-|a"), Separators::isolated, false).apply(split);
  CHECK(split.pieces == std::vector<Span>{{0, 1}, {1, 2}, {3, 5}});
}

}  // namespace headlight::pattern_test
