#include "text/models/pair_map.h"

#include <bit>
#include <utility>

namespace headlight {
namespace {

constexpr std::size_t kFirstSlots = 16;

unsigned shift_for(std::size_t slots) {
  return static_cast<unsigned>(std::countl_zero(std::uint64_t{slots - 1}));
}

}  // namespace

PairMap::PairMap() : slots_(kFirstSlots), shift_(shift_for(kFirstSlots)) {}

void PairMap::insert(std::uint32_t first, std::uint32_t second, std::uint32_t value) {
  if (2 * (size_ + 1) > slots_.size()) grow();
  const std::uint64_t pair = joined(first, second);
  Slot& slot = slots_[find_slot(pair)];
  if (!slot.taken) ++size_;
  slot = {pair, value, true};
}

void PairMap::grow() {
  const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  shift_ = shift_for(slots_.size());
  for (const Slot& slot : before) {
    if (slot.taken) slots_[find_slot(slot.pair)] = slot;
  }
}

}  // namespace headlight
