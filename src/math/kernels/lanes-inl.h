// What every kernel is written with: vectors of at most 16 floats, and sums that come out the same
// whatever the width of the processor's registers. Included once for each instruction set.
#if defined(HEADLIGHT_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_LANES_INL_H
#undef HEADLIGHT_LANES_INL_H
#else
#define HEADLIGHT_LANES_INL_H
#endif

#include <cstddef>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sixteen floats are one step of every loop over a row.
constexpr std::size_t kStep = 16;

using Floats = hn::CappedTag<float, kStep>;
using Vector = hn::Vec<Floats>;
constexpr std::size_t kLanes = hn::MaxLanes(Floats());
constexpr std::size_t kParts = kStep / kLanes;  // vectors of a step

/// Sums of a row through one tree: element j goes to lane j mod 16, each lane is summed from the
/// front, then lanes i and i + 8, i + 4, i + 2, i + 1.
class LaneSums {
 public:
  HWY_INLINE LaneSums() {
    for (auto& part : parts_) part = hn::Zero(Floats());
  }
  /// Lanes part · kLanes and on.
  HWY_INLINE void add(std::size_t part, Vector values) {
    parts_[part] = hn::Add(parts_[part], values);
  }
  HWY_INLINE void add_product(std::size_t part, Vector a, Vector b) {
    parts_[part] = hn::MulAdd(a, b, parts_[part]);
  }
  HWY_INLINE float total() const {
    HWY_ALIGN float lanes[kStep];
    for (std::size_t part = 0; part < kParts; ++part) {
      hn::Store(parts_[part], Floats(), lanes + part * kLanes);
    }
    for (std::size_t width = kStep / 2; width > 0; width /= 2) {
      for (std::size_t i = 0; i < width; ++i) lanes[i] += lanes[i + width];
    }
    return lanes[0];
  }

 private:
  Vector parts_[kParts];
};

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
