#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels/int8.cpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/kernels/int8-inl.h"
#include "math/quantized.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

constexpr std::size_t kColumns = kStep;  // of a panel
constexpr std::size_t kMostRows = 96;    // that an incomplete panel processes at a time
// Panels that any number of rows is multiplied with at once. Six rows beside four vectors of
// columns need fewer loads than twelve beside two.
constexpr std::size_t kWidest = HWY_TARGET == HWY_AVX3 ? 4 : kTilePanels;

/// Steps over k during which sums stay in registers, a multiple of 4. This part of the panels stays
/// in the L1 cache while all rows use it.
constexpr std::size_t depth_beside(std::size_t panels) { return panels > 2 ? 512 : 1024; }

HWY_ALIGN constexpr float kNoBias[4 * kColumns] = {};

template <typename Products, std::size_t kPanels>
HWY_INLINE void multiply_group(const QuantizedRows& x, std::size_t depth, const std::byte* panels,
                               const float* bias, const Matrix& out) {
  const std::size_t panel = QuantizedPanels::kHeader + depth * kColumns;
  constexpr std::size_t kDepth = depth_beside(kPanels);
  for (std::size_t k = 0; k < depth; k += kDepth) {
    const std::size_t last = depth - k < kDepth ? depth : k + kDepth;
    const std::byte* const ahead = last == depth
                                       ? panels + kPanels * panel
                                       : panels + QuantizedPanels::kHeader + last * kColumns;
    const IntegerShape shape{k, last, depth, x.stride, panel, out.stride, ahead};
    multiply_panels<Products, kPanels>(x.rows, shape, x.data, panels, bias, out.data);
  }
}

/// Multiplies all complete groups of kPanels. Returns the first remaining panel.
template <typename Products, std::size_t kPanels>
HWY_INLINE std::size_t multiply_groups(const QuantizedRows& x, const QuantizedPanels& w,
                                       const float* bias, const Matrix& out, std::size_t panel) {
  const std::size_t last = out.cols / kColumns;
  if constexpr (rows_beside(kPanels) > 0) {
    if (kPanels > kWidest && x.rows > rows_beside(kPanels)) return panel;
    for (; panel + kPanels <= last; panel += kPanels) {
      const std::size_t column = panel * kColumns;
      multiply_group<Products, kPanels>(x, QuantizedPanels::padded(w.depth),
                                        w.data + panel * QuantizedPanels::panel_bytes(w.depth),
                                        bias == nullptr ? kNoBias : bias + column,
                                        out.column_range(column, kPanels * kColumns));
    }
  }
  return panel;
}

/// The last columns, fewer than a panel: computed in separate memory and copied.
template <typename Products>
HWY_INLINE void multiply_rest(const QuantizedRows& x, const QuantizedPanels& w,
                              const float* all_bias, const Matrix& out) {
  const std::size_t count = out.cols % kColumns;
  const std::size_t first = out.cols - count;
  const std::byte* panel = w.data + first / kColumns * QuantizedPanels::panel_bytes(w.depth);
  HWY_ALIGN float bias[kColumns] = {};
  for (std::size_t j = 0; all_bias != nullptr && j < count; ++j) bias[j] = all_bias[first + j];
  HWY_ALIGN float beside[kMostRows * kColumns] = {};
  for (std::size_t row = 0; row < x.rows; row += kMostRows) {
    const std::size_t rows = x.rows - row < kMostRows ? x.rows - row : kMostRows;
    multiply_group<Products, 1>(x.range(row, rows), QuantizedPanels::padded(w.depth), panel, bias,
                                Matrix(beside, rows, kColumns));
    for (std::size_t i = 0; i < rows; ++i) {
      float* to = out.data + (row + i) * out.stride + first;
      for (std::size_t j = 0; j < count; ++j) to[j] = beside[i * kColumns + j];
    }
  }
}

template <typename Products>
HWY_INLINE void multiply_all(const QuantizedRows& x, const QuantizedPanels& w, const float* bias,
                             const Matrix& out) {
  std::size_t panel = multiply_groups<Products, 4>(x, w, bias, out, 0);
  panel = multiply_groups<Products, 2>(x, w, bias, out, panel);
  multiply_groups<Products, 1>(x, w, bias, out, panel);
  if (out.cols % kColumns > 0) multiply_rest<Products>(x, w, bias, out);
}

void multiply_quantized(const QuantizedRows& x, const QuantizedPanels& w, const float* bias,
                        const Matrix& out) {
#ifdef HEADLIGHT_HAS_FOURS
  if (w.layout == QuantizedLayout::fours) return multiply_all<Fours>(x, w, bias, out);
#endif
  multiply_all<Pairs>(x, w, bias, out);
}

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// The lowest and the highest number of a row and 0.
struct Extent {
  float lowest;
  float highest;
  bool is_finite;
};

HWY_INLINE Extent extent_of(const float* x, std::size_t count) {
  const Floats d;
  auto lowest = hn::Zero(d);
  auto highest = hn::Zero(d);
  auto zeros = hn::Zero(d);  // NaN, where a number is not finite
  const auto take = [&](Vector values) {
    lowest = hn::Min(lowest, values);
    highest = hn::Max(highest, values);
    zeros = hn::MulAdd(values, hn::Zero(d), zeros);
  };
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) take(hn::LoadU(d, x + k));
  HWY_ALIGN float rest[kLanes] = {};
  for (std::size_t j = 0; k < count; ++k, ++j) rest[j] = x[k];
  take(hn::Load(d, rest));
  return {hn::GetLane(hn::MinOfLanes(d, lowest)), hn::GetLane(hn::MaxOfLanes(d, highest)),
          hn::AllTrue(d, hn::Eq(zeros, hn::Zero(d)))};
}

/// out [k, padded to whole vectors] ← round(x · factor) + zero, the last bits of it
template <typename T>
HWY_INLINE void round_row(const float* x, std::size_t count, float factor, std::int32_t zero,
                          T* out) {
  const Floats d;
  const hn::RebindToUnsigned<Floats> bits;
  const hn::Rebind<T, Floats> narrow;
  const auto added = hn::Set(bits, static_cast<std::uint32_t>(zero));
  const auto store = [&](const float* from, T* to) {
    const auto scaled = hn::Mul(hn::LoadU(d, from), hn::Set(d, factor));
    const auto rounded = hn::Add(scaled, hn::Set(d, 0x1.8p23F));  // the last bits are the integer
    hn::StoreU(hn::TruncateTo(narrow, hn::Add(hn::BitCast(bits, rounded), added)), narrow, to);
  };
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) store(x + k, out + k);
  if (k == count) return;
  HWY_ALIGN float rest[kLanes] = {};
  for (std::size_t j = 0; k + j < count; ++j) rest[j] = x[k + j];
  store(rest, out + k);
}

constexpr float kMost = 127.0F;
constexpr float kTiny = 1e-30F;  // smaller values count as zero: 127 / x might overflow

/// out [k, padded] ← round(x / scale) + zero, with the scale `most` / 127, which is returned.
template <typename T>
HWY_INLINE float quantize_to(const float* x, std::size_t count, float most, std::int32_t zero,
                             std::byte* bytes) {
  T* const out = reinterpret_cast<T*>(bytes);
  const bool usual = most >= kTiny;
  std::fill(out + (usual ? count : 0), out + QuantizedPanels::padded(count), T{0});
  if (!usual) return most < kTiny ? 0.0F : most;
  round_row(x, count, kMost / most, zero, out);
  return most / kMost;
}

RowScale quantize_one(const float* x, std::size_t count, QuantizedLayout layout, std::byte* out) {
  const Extent extent = extent_of(x, count);
  const float most = extent.is_finite ? 0.5F * extent.highest - 0.5F * extent.lowest : kNaN;
  std::int32_t zero = 0;
  if (most >= kTiny) {
    zero = static_cast<std::int32_t>(std::nearbyint(-extent.lowest * (kMost / most)));
  }
  if (layout == QuantizedLayout::pairs) {
    return {quantize_to<std::uint16_t>(x, count, most, 0, out), zero};
  }
  return {quantize_to<std::uint8_t>(x, count, most, zero, out), zero};
}

float quantize_weight_row(const float* x, std::size_t count, std::byte* out) {
  const Extent extent = extent_of(x, count);
  const float most = extent.is_finite ? std::max(extent.highest, -extent.lowest) : kNaN;
  return quantize_to<std::uint16_t>(x, count, most, 0, out);
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "math/kernels/dispatch.h"
#include "math/kernels/tiles.h"

namespace headlight {

RowScale quantize_row(std::span<const float> x, QuantizedLayout layout, std::byte* out) {
  return HEADLIGHT_KERNEL(quantize_one)(x.data(), x.size(), layout, out);
}

float quantize_weights(std::span<const float> weights, std::int16_t* out) {
  return HEADLIGHT_KERNEL(quantize_weight_row)(weights.data(), weights.size(),
                                               reinterpret_cast<std::byte*>(out));
}

void multiply(const QuantizedRows& x, const QuantizedPanels& w, const float* bias, Matrix out) {
  if (w.layout == QuantizedLayout::tiles) return multiply_in_tiles(x, w, bias, out);
  HEADLIGHT_KERNEL(multiply_quantized)(x, w, bias, out);
}

}  // namespace headlight
#endif
