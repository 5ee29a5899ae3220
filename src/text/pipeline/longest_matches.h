// Finds the longest of a set of strings at each position of a text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/models/pair_map.h"

namespace headlight {

/// An automaton of Aho and Corasick (1975) for the reversed strings. It reads a text from its end,
/// so the strings that begin at a position are known when it arrives there. The time is
/// proportional to the length of the text.
class LongestMatches {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  /// `number` stands for the string in find(). Of equal strings, the first counts. The string must
  /// not be empty.
  void add(std::u32string_view string, std::uint32_t number);
  /// Call it once, after the last string and before find().
  void finish();

  /// For each position the number of the longest string that begins there, or kNone.
  std::vector<std::uint32_t> find(std::u32string_view text) const;

 private:
  /// The end of a string, reversed; 0 is the root.
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t last = 0;  // its last character
    std::uint32_t depth = 0;
    std::uint32_t shorter = 0;     // its longest proper suffix that is a node
    std::uint32_t number = kNone;  // of the longest suffix that is a whole string
  };

  std::uint32_t next(std::uint32_t node, std::uint32_t character) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);
  PairMap edges_;  // node, character → node
};

}  // namespace headlight
