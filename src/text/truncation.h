// How many tokens of a text, or of each text of a pair, are kept.
#pragma once

#include <cstddef>

namespace headlight {

struct PairLengths {
  std::size_t first;
  std::size_t second;
  bool operator==(const PairLengths&) const = default;
};

/// The reference's `longest_first` for `lengths` tokens and room for `budget` (a text alone has a
/// second of 0 tokens). On a tie the second counts as the longer.
PairLengths truncate_longest_first(PairLengths lengths, std::size_t budget);

}  // namespace headlight
