// Precompiled: the map's file format, broken maps, and what is looked up.
#include "text/normalizers/charsmap.h"

#include <random>
#include <string>

#include <doctest/doctest.h>

#include "base/error.h"
#include "text/unicode/graphemes.h"
#include "text_support.h"

namespace headlight::charsmap_test {
namespace {

std::string units_of(const std::vector<std::uint32_t>& units) {
  std::string bytes;
  for (const std::uint32_t unit : units) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<char>(unit >> shift & 0xFFU));
    }
  }
  return bytes;
}

/// A map of rules for single ASCII characters. Its trie has the root's children in block 128, and
/// the value of `c` at 256 + c.
std::string map_of(const std::vector<std::pair<char, std::string>>& rules) {
  std::vector<std::uint32_t> units(512, 0);
  units[0] = 128U << 10U;
  std::string strings;
  for (const auto& [c, becomes] : rules) {
    const auto byte = static_cast<unsigned char>(c);
    const std::uint32_t node = 128U ^ byte;
    const std::uint32_t leaf = 256U + byte;
    units[node] = (node ^ leaf) << 10U | 1U << 8U | byte;
    units[leaf] = 1U << 31U | static_cast<std::uint32_t>(strings.size());
    strings += becomes + '\0';
  }
  return units_of({static_cast<std::uint32_t>(units.size() * 4)}) + units_of(units) + strings;
}

std::string complaint(const std::string& bytes) {
  try {
    Charsmap{bytes};
  } catch (const Error& error) {
    return error.line();
  }
  return "";
}

std::string clusters_of(std::u32string_view text) {
  std::vector<std::string> lengths;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = cluster_end(text, begin);
    lengths.push_back(std::to_string(end - begin));
    begin = end;
  }
  return joined(lengths, " ");
}

}  // namespace

TEST_CASE("the shortest prefix that has a rule is what is found") {
  const Charsmap map(map_of({{'a', "xy"}, {'b', ""}, {'c', "é"}}));
  CHECK(map.find("a") == "xy");
  CHECK(map.find("abc") == "xy");
  CHECK(map.find("b") == "");
  CHECK(map.find("c") == "é");
  CHECK_FALSE(map.find("d").has_value());
  CHECK_FALSE(map.find("").has_value());
  CHECK_FALSE(map.find(std::string_view("\0a", 2)).has_value());
}

TEST_CASE("origins where a rule is longer or shorter than what it replaces") {
  struct Row {
    const char* text;
    const char* becomes;
    std::vector<std::uint32_t> origins;
  };
  const Precompiled step(Charsmap(map_of({{'a', "xyz"}, {'b', ""}, {'c', "C"}})));
  const Row rows[] = {
      {"dad", "dxyzd", {0, 1, 1, 1, 2}},
      {"dbd", "dd", {0, 2}},
      {"abc", "xyzC", {0, 0, 1, 2}},  // what was put in stands for what is gone
      {"bd", "d", {0}},               // nobody before it: all move up
      {"c\u0301d", "Cd", {0, 2}},     // the whole cluster is looked up
      {"c\u0301\u0302\u0303d", "C\u0301\u0302\u0303d", {0, 1, 2, 3, 4}},  // too long for that
      {"ééé", "ééé", {0, 1, 2}},
      {"", "", {}},
  };
  for (const auto& [input, becomes, origins] : rows) {
    CAPTURE(input);
    NormalizedText text = normalized_text(input);
    step.apply(text);
    CHECK(to_utf8(text.characters) == becomes);
    CHECK(text.origins == origins);
  }
}

TEST_CASE("maps that are cut off or not UTF-8") {
  CHECK(complaint("") == "has 0 bytes, but the size of its trie takes 4");
  CHECK(complaint(units_of({0})) == "has an empty trie");
  CHECK(complaint(units_of({8, 0})) == "has a trie of 2 units, but only bytes for 1");
  CHECK(complaint(units_of({0xFFFFFFFF, 0})) ==
        "has a trie of 1073741823 units, but only bytes for 1");
  CHECK(complaint(units_of({4, 0}) + "\xff") == "has strings that are not UTF-8");
  CHECK(complaint(units_of({4, 0})) == "");
}

TEST_CASE("a trie that points out of itself, or into nothing, is an error of the text") {
  const Charsmap out(units_of({4, 1000U << 10U}));
  CHECK_THROWS_AS(out.find("a"), TextError);
  std::string bytes = map_of({{'a', "é"}});
  bytes[4 + 4 * (256 + 'a')] = 1;  // in the middle of é
  CHECK_THROWS_AS(Charsmap(bytes).find("a"), TextError);
  bytes[4 + 4 * (256 + 'a')] = 100;
  CHECK_THROWS_AS(Charsmap(bytes).find("a"), TextError);
}

TEST_CASE("a map of random bytes ends, with an answer or an error") {
  std::mt19937 random(1);
  const std::string good = map_of({{'a', "xy"}, {'b', ""}, {'c', "é"}});
  int answers = 0;
  int errors = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = good;
    for (int change = 0; change < 40; ++change) {
      bytes[4 + random() % (bytes.size() - 12)] = static_cast<char>(random());
    }
    try {
      const Charsmap map(bytes);
      for (const char* key : {"a", "b", "cab", "\xc3\xa9z"}) answers += map.find(key) ? 1 : 0;
    } catch (const Error&) {
      ++errors;
    }
  }
  CHECK(answers > 100);
  CHECK(errors > 100);
}

TEST_CASE("grapheme clusters") {
  struct Row {
    const char32_t* text;
    const char* lengths;
  };
  const Row rows[] = {
      {U"abc", "1 1 1"},
      {U"\r\n\n\r", "2 1 1"},
      {U"e\u0301\u0323x", "3 1"},
      {U"\n\u0301", "1 1"},
      {U"\u1100\u1161\u11A8\u1100", "3 1"},
      {U"\uAC00\u11A8\uAC01\u1161", "2 1 1"},
      {U"\u0600a\u0301b", "3 1"},
      {U"\U0001F469\u200D\U0001F467x", "3 1"},
      {U"\U0001F469\u0301\u200D\U0001F467", "4"},
      {U"a\u200D\U0001F467", "2 1"},
      {U"\u0915\u094D\u0915", "3"},
      {U"\u0915\u0915", "1 1"},
      {U"\u0915\u093C\u094D\u200D\u0915", "5"},
      {U"\u0915\u093F\u094D\u0915", "3 1"},
  };
  for (const auto& [text, lengths] : rows) {
    CAPTURE(to_utf8(text));
    CHECK(clusters_of(text) == lengths);
  }
}

}  // namespace headlight::charsmap_test
