// How many tokens of a text, or of each text of a pair, are kept.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlight {

/// Which text of a pair gives tokens up: the longer one, or the first alone.
enum class Truncation : std::uint8_t { longest_first, only_first };

struct PairLengths {
  std::size_t first;
  std::size_t second;
  bool operator==(const PairLengths&) const = default;
};

/// What is kept of `lengths` tokens where there is room for `budget` (a text alone has a second of
/// 0 tokens). Throws TextError where `only_first` has nothing left of the first text.
PairLengths truncate(Truncation how, PairLengths lengths, std::size_t budget);

/// The reference's `longest_first`. On a tie the second counts as the longer.
PairLengths truncate_longest_first(PairLengths lengths, std::size_t budget);

/// The reference's `only_first`: the first must keep a token, but that no budget at all empties
/// both. Throws TextError.
PairLengths truncate_only_first(PairLengths lengths, std::size_t budget);

}  // namespace headlight
