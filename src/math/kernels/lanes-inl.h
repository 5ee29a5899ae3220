// The basis of every kernel: vectors of at most 16 floats, and sums that do not depend on the width
// of the registers. Included once per instruction set.
#if defined(HEADLIGHT_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_LANES_INL_H
#undef HEADLIGHT_LANES_INL_H
#else
#define HEADLIGHT_LANES_INL_H
#endif

#include <cstddef>
#include <cstring>

#include <hwy/highway.h>

#include "math/kernels/float64-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Every loop over a row takes steps of sixteen floats.
constexpr std::size_t kStep = 16;

using Floats = hn::CappedTag<float, kStep>;
using Vector = hn::Vec<Floats>;
constexpr std::size_t kLanes = hn::MaxLanes(Floats());
constexpr std::size_t kParts = kStep / kLanes;  // vectors of a step

using Doubles = hn::CappedTag<double, kStep>;
using DoubleVector = hn::Vec<Doubles>;
constexpr std::size_t kDoubleLanes = hn::MaxLanes(Doubles());
constexpr std::size_t kDoubleParts = kStep / kDoubleLanes;

/// from [kDoubleLanes], exactly
HWY_INLINE DoubleVector load_doubles(const float* from) {
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), from));
}

/// Adds the upper half of the lanes to the lower, until one is left.
template <typename Tag>
HWY_INLINE hn::TFromD<Tag> sum_of_halves(Tag /*tag*/, hn::Vec<Tag> values) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(Tag()) > 1) {
    const hn::Half<Tag> half;
    return sum_of_halves(half, hn::Add(hn::LowerHalf(half, values), hn::UpperHalf(half, values)));
  }
#endif
  return hn::GetLane(values);
}

/// Sums a row with one tree: element j goes to lane j mod 16, each lane is summed in order, then
/// lanes i and i + 8, i + 4, i + 2, i + 1 are added.
template <typename Tag>
class TagLaneSums {
 public:
  using Element = hn::TFromD<Tag>;
  using Values = hn::Vec<Tag>;

  HWY_INLINE TagLaneSums() {
    for (auto& part : parts_) part = hn::Zero(Tag());
  }
  /// Adds to the lanes from part · MaxLanes(Tag).
  HWY_INLINE void add(std::size_t part, Values values) {
    parts_[part] = hn::Add(parts_[part], values);
  }
  HWY_INLINE void add_product(std::size_t part, Values a, Values b) {
    parts_[part] = hn::MulAdd(a, b, parts_[part]);
  }
  HWY_INLINE Element total() const {
    Values sums[kCount];
    for (std::size_t part = 0; part < kCount; ++part) sums[part] = parts_[part];
    for (std::size_t count = kCount / 2; count > 0; count /= 2) {
      for (std::size_t i = 0; i < count; ++i) sums[i] = hn::Add(sums[i], sums[i + count]);
    }
    return sum_of_halves(Tag(), sums[0]);
  }

 private:
  static constexpr std::size_t kCount = kStep / hn::MaxLanes(Tag());
  Values parts_[kCount];
};

using LaneSums = TagLaneSums<Floats>;
using DoubleLaneSums = TagLaneSums<Doubles>;

/// The last elements of a row, fewer than kStep, in memory for a whole step. Uses whole vectors if
/// possible, because loads that wait for smaller stores cost more than the arithmetic.
class PartialStep {
 public:
  /// Pads the elements with zeros.
  HWY_INLINE PartialStep(const float* from, std::size_t count) : count_(count) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    for (std::size_t k = 0; k < kStep; k += kLanes) {
      hn::Store(hn::MaskedLoad(inside(k), Floats(), from + k), Floats(), data_ + k);
    }
#else
    for (std::size_t i = 0; i < kStep; ++i) data_[i] = i < count ? from[i] : 0.0F;
#endif
  }
  HWY_INLINE float* data() { return data_; }
  HWY_INLINE const float* data() const { return data_; }
  HWY_INLINE std::size_t count() const { return count_; }
  /// Pads the elements with `filler`.
  HWY_INLINE void fill(float filler) {
    const Vector fillers = hn::Set(Floats(), filler);
    for (std::size_t k = 0; k < kStep; k += kLanes) {
      const Vector elements = hn::Load(Floats(), data_ + k);
      hn::Store(hn::IfThenElse(inside(k), elements, fillers), Floats(), data_ + k);
    }
  }
  HWY_INLINE void copy_to(float* to) const {
    const float* from = data_;
    if ((count_ & 8) != 0) copy<8>(from, to);
    if ((count_ & 4) != 0) copy<4>(from, to);
    if ((count_ & 2) != 0) copy<2>(from, to);
    if ((count_ & 1) != 0) copy<1>(from, to);
  }

 private:
  template <std::size_t kSize>
  static HWY_INLINE void copy(const float*& from, float*& to) {
    std::memcpy(to, from, kSize * sizeof(float));
    from += kSize;
    to += kSize;
  }
  /// Which lanes, starting at k, are elements.
  HWY_INLINE hn::Mask<Floats> inside(std::size_t k) const {
    return hn::FirstN(Floats(), count_ > k ? count_ - k : 0);
  }

  HWY_ALIGN float data_[kStep];
  std::size_t count_;
};

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
