// PairMap, the table behind BPE.
#include "text/models/pair_map.h"

#include <map>
#include <random>
#include <utility>

#include <doctest/doctest.h>

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

}  // namespace headlight::pair_map_test
