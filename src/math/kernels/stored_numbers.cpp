#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels/stored_numbers.cpp"

#include "math/kernels/stored_numbers.h"

#include <cstdint>
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

void widen_from(const std::byte* bytes, float* out, std::size_t count) {
  const Floats d;
  const hn::Rebind<std::uint16_t, Floats> bits;  // the same number of lanes
  const hn::Rebind<hwy::float16_t, Floats> halves;
  HWY_ALIGN std::uint16_t rest[kLanes] = {};
  for (; count >= kLanes; count -= kLanes) {
    // The bytes may have any address, so they are copied as bytes and then read as halves.
    hwy::CopyBytes<sizeof(rest)>(bytes, rest);
    hn::StoreU(hn::PromoteTo(d, hn::BitCast(halves, hn::Load(bits, rest))), d, out);
    bytes += sizeof(rest);
    out += kLanes;
  }
  if (count == 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    hwy::CopyBytes<sizeof(rest[0])>(bytes + i * sizeof(rest[0]), rest + i);
  }
  HWY_ALIGN float widened[kLanes];
  hn::Store(hn::PromoteTo(d, hn::BitCast(halves, hn::Load(bits, rest))), d, widened);
  for (std::size_t i = 0; i < count; ++i) out[i] = widened[i];
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

void widen_halves(const std::byte* bytes, std::span<float> out) {
  HEADLIGHT_KERNEL(widen_from)(bytes, out.data(), out.size());
}

}  // namespace headlight
#endif
