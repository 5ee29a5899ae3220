#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels/bit_search.cpp"

#include "math/kernels/bit_search.h"

#include <cstring>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

template <typename Bits>
bool search(const std::byte* bytes, std::size_t count, Bits mask) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  // Loaded as bytes, which may have any address.
  const hn::CappedTag<std::uint8_t, kStep * sizeof(float)> as_bytes;
  const hn::Repartition<Bits, decltype(as_bytes)> d;
  constexpr std::size_t kEach = hn::MaxLanes(as_bytes) / sizeof(Bits);
  constexpr std::size_t kVectors = 4;
  const auto wanted = hn::Set(d, mask);
  auto largest0 = hn::Zero(d);
  auto largest1 = hn::Zero(d);
  const auto masked = [&](std::size_t vector) HWY_ATTR {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(bytes + i * sizeof(Bits));
    return hn::And(hn::BitCast(d, hn::LoadU(as_bytes, from + vector * hn::MaxLanes(as_bytes))),
                   wanted);
  };
  for (; i + kVectors * kEach <= count; i += kVectors * kEach) {
    largest0 = hn::Max(largest0, hn::Max(masked(0), masked(1)));
    largest1 = hn::Max(largest1, hn::Max(masked(2), masked(3)));
  }
  // With all other bits removed, no number is larger than the mask.
  if (!hn::AllFalse(d, hn::Eq(hn::Max(largest0, largest1), wanted))) return true;
#endif
  for (; i < count; ++i) {
    Bits bits = 0;
    std::memcpy(&bits, bytes + i * sizeof(Bits), sizeof(Bits));
    if ((bits & mask) == mask) return true;
  }
  return false;
}

bool search_words(const std::byte* bytes, std::size_t count, std::uint32_t mask) {
  return search(bytes, count, mask);
}

bool search_halves(const std::byte* bytes, std::size_t count, std::uint16_t mask) {
  return search(bytes, count, mask);
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "math/kernels/dispatch.h"

namespace headlight {

bool any_has_bits(const std::byte* bytes, std::size_t count, std::uint32_t mask) {
  return HEADLIGHT_KERNEL(search_words)(bytes, count, mask);
}

bool any_has_bits(const std::byte* bytes, std::size_t count, std::uint16_t mask) {
  return HEADLIGHT_KERNEL(search_halves)(bytes, count, mask);
}

}  // namespace headlight
#endif
