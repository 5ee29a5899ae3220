// A hash table from two numbers to a third: the merges of a BPE, the edges of a trie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace headlight {

class PairMap {
 public:
  PairMap();

  /// A pair that is there already gets the new value.
  void insert(std::uint32_t first, std::uint32_t second, std::uint32_t value);

  std::optional<std::uint32_t> find(std::uint32_t first, std::uint32_t second) const;

 private:
  struct Slot {
    std::uint64_t pair = 0;
    std::uint32_t value = 0;
    bool taken = false;
  };

  std::size_t find_slot(std::uint64_t pair) const;
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  std::size_t size_ = 0;
};

}  // namespace headlight
