// PairMap and Trie, the tables behind BPE and Unigram.
#include "text/models/pair_map.h"

#include <map>
#include <random>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "text/models/unigram.h"

namespace headlight::pair_map_test {

TEST_CASE("a map of pairs holds what a std::map holds") {
  std::mt19937 random(3);
  for (const std::uint32_t range : {3U, 50U, 0xFFFFFFFFU}) {
    PairMap map;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> expected;
    const auto number = [&] { return static_cast<std::uint32_t>(random() % range); };
    for (int i = 0; i < 3000; ++i) {
      const std::pair pair(number(), number());
      const auto value = static_cast<std::uint32_t>(random());
      map.insert(pair.first, pair.second, value);
      expected[pair] = value;
      const std::pair other(number(), number());
      CHECK(map.find(other.first, other.second).has_value() == expected.contains(other));
    }
    for (const auto& [pair, value] : expected) CHECK(map.find(pair.first, pair.second) == value);
  }
}

TEST_CASE("a trie finds every token that a text begins with") {
  Trie trie;
  trie.insert(U"a", 1);
  trie.insert(U"a中b", 2);
  trie.insert(U"a中bc", 3);
  trie.insert(U"b", 4);
  trie.insert(U"b", 5);
  trie.insert(U"", 6);
  std::string found;
  std::optional<Trie::Node> node = Trie::kRoot;
  for (const char32_t c : std::u32string(U"a中bd")) {
    if (const auto token = trie.token(*node)) found += std::to_string(*token) + " ";
    node = trie.child(*node, c);
    if (!node) break;
  }
  CHECK(found == "6 1 2 ");
  CHECK(!node.has_value());
  CHECK(trie.token(*trie.child(Trie::kRoot, U'b')) == 5);
}

}  // namespace headlight::pair_map_test
