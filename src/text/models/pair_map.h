// A hash table from two numbers to a third, for the merges of a BPE and the edges of a trie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace headlight {

class PairMap {
 public:
  PairMap();

  /// Replaces the value of an existing pair.
  void insert(std::uint32_t first, std::uint32_t second, std::uint32_t value);

  std::optional<std::uint32_t> find(std::uint32_t first, std::uint32_t second) const {
    const Slot& slot = slots_[find_slot(joined(first, second))];
    return slot.taken ? std::optional(slot.value) : std::nullopt;
  }

 private:
  struct Slot {
    std::uint64_t pair = 0;
    std::uint32_t value = 0;
    bool taken = false;
  };

  static std::uint64_t joined(std::uint32_t first, std::uint32_t second) {
    return (std::uint64_t{first} << 32U) | second;
  }

  std::size_t find_slot(std::uint64_t pair) const {
    // Knuth's multiplicative hashing (The Art of Computer Programming 3, 6.4): 2^64 / golden ratio.
    constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15U;
    auto at = static_cast<std::size_t>((pair * kMultiplier) >> shift_);
    while (slots_[at].taken && slots_[at].pair != pair) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half full
  unsigned shift_;           // leaves the bits of a slot index
  std::size_t size_ = 0;
};

}  // namespace headlight
