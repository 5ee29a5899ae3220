// The number of tokens to keep of a text, or of each text of a pair.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlight {

/// Which text of a pair is cut: the longer one, or only one of them.
enum class Truncation : std::uint8_t { longest_first, only_first, only_second };

struct PairLengths {
  std::size_t first;
  std::size_t second;
  bool operator==(const PairLengths&) const = default;
};

/// The tokens to keep of `lengths` tokens if there is room for `budget`. For a single text, the
/// second length is 0. Throws TextError if nothing is left of the only text that is cut.
PairLengths truncate(Truncation how, PairLengths lengths, std::size_t budget);

/// The reference's `longest_first`. If both are equal, the second counts as the longer.
PairLengths truncate_longest_first(PairLengths lengths, std::size_t budget);

/// The reference's `only_first`: the first text must keep a token, except that a budget of 0
/// empties both. Throws TextError.
PairLengths truncate_only_first(PairLengths lengths, std::size_t budget);

}  // namespace headlight
