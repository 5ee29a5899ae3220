#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels/halves.cpp"

#include "math/kernels/halves.h"

#include <cstdint>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

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

void widen_halves(const std::byte* bytes, std::span<float> out) {
  HEADLIGHT_KERNEL(widen_from)(bytes, out.data(), out.size());
}

}  // namespace headlight
#endif
