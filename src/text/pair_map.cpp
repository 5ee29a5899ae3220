#include "text/pair_map.h"

#include <bit>
#include <utility>

namespace headlight {
namespace {

constexpr std::size_t kFirstSlots = 16;

std::uint64_t joined(std::uint32_t first, std::uint32_t second) {
  return (std::uint64_t{first} << 32U) | second;
}

}  // namespace

PairMap::PairMap() : slots_(kFirstSlots) {}

std::size_t PairMap::find_slot(std::uint64_t pair) const {
  // Knuth's multiplicative hashing (The Art of Computer Programming 3, 6.4): 2^64 / golden ratio.
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15U;
  const int shift = std::countl_zero(std::uint64_t{slots_.size() - 1});
  auto at = static_cast<std::size_t>((pair * kMultiplier) >> static_cast<unsigned>(shift));
  while (slots_[at].taken && slots_[at].pair != pair) at = (at + 1) & (slots_.size() - 1);
  return at;
}

void PairMap::insert(std::uint32_t first, std::uint32_t second, std::uint32_t value) {
  if (2 * (size_ + 1) > slots_.size()) grow();
  const std::uint64_t pair = joined(first, second);
  Slot& slot = slots_[find_slot(pair)];
  if (!slot.taken) ++size_;
  slot = {pair, value, true};
}

std::optional<std::uint32_t> PairMap::find(std::uint32_t first, std::uint32_t second) const {
  const Slot& slot = slots_[find_slot(joined(first, second))];
  return slot.taken ? std::optional(slot.value) : std::nullopt;
}

void PairMap::grow() {
  const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (const Slot& slot : before) {
    if (slot.taken) slots_[find_slot(slot.pair)] = slot;
  }
}

}  // namespace headlight
