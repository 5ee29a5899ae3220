#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels/int8.cpp"

#include <algorithm>
#include <limits>
#include <type_traits>

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

/// max|x|. Infinities and NaN count as larger than all finite numbers.
HWY_INLINE float largest(const float* x, std::size_t count) {
  const Integers d;
  // The bits of non-negative floats, read as integers, sort like the numbers, with NaN last.
  const auto without_sign = hn::Set(d, 0x7FFFFFFF);
  auto most = hn::Zero(d);
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) {
    const auto bits = hn::BitCast(d, hn::LoadU(Floats(), x + k));
    most = hn::Max(most, hn::And(bits, without_sign));
  }
  HWY_ALIGN float rest[kLanes] = {};
  for (std::size_t j = 0; k < count; ++k, ++j) rest[j] = x[k];
  most = hn::Max(most, hn::And(hn::BitCast(d, hn::Load(Floats(), rest)), without_sign));
  return hn::GetLane(hn::BitCast(Floats(), hn::MaxOfLanes(d, most)));
}

/// out [k, padded to whole vectors] ← round(x · factor), with the bits of `flipped` inverted.
template <typename T>
HWY_INLINE void round_row(const float* x, std::size_t count, float factor, T flipped, T* out) {
  const Floats d;
  const hn::RebindToUnsigned<Floats> bits;
  const hn::Rebind<std::make_unsigned_t<T>, Floats> narrow;
  const auto inverted = hn::Set(bits, static_cast<std::uint32_t>(flipped));
  const auto store = [&](const float* from, T* to) {
    // Adding it rounds to integers, which the last bits then are.
    const auto sum =
        hn::Add(hn::Mul(hn::LoadU(d, from), hn::Set(d, factor)), hn::Set(d, 0x1.8p23F));
    const auto integers = hn::Xor(hn::BitCast(bits, sum), inverted);
    hn::StoreU(hn::TruncateTo(narrow, integers), narrow,
               reinterpret_cast<std::make_unsigned_t<T>*>(to));
  };
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) store(x + k, out + k);
  if (k == count) return;
  HWY_ALIGN float rest[kLanes] = {};
  for (std::size_t j = 0; k + j < count; ++j) rest[j] = x[k + j];
  store(rest, out + k);
}

/// out [k, padded] ← x [k] as integers, with the bits of `flipped` inverted.
/// Returns their scale.
template <typename T>
HWY_INLINE float quantize_to(const float* x, std::size_t count, T flipped, T* out) {
  constexpr float kMost = 127.0F;
  constexpr float kTiny = 1e-30F;  // smaller values count as zero: 127 / x might overflow
  const float most = largest(x, count);
  const bool usual = most >= kTiny && most <= std::numeric_limits<float>::max();
  std::fill(out + (usual ? count : 0), out + QuantizedPanels::padded(count), flipped);
  if (usual) {
    round_row(x, count, kMost / most, flipped, out);
    return most / kMost;
  }
  return most < kTiny ? 0.0F : std::numeric_limits<float>::quiet_NaN();
}

float quantize_one(const float* x, std::size_t count, QuantizedLayout layout, std::byte* out) {
  if (layout == QuantizedLayout::pairs) {
    return quantize_to<std::int16_t>(x, count, 0, reinterpret_cast<std::int16_t*>(out));
  }
  constexpr std::int8_t kSign = -128;  // inverting it adds 128
  return quantize_to<std::int8_t>(x, count, kSign, reinterpret_cast<std::int8_t*>(out));
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "math/kernels/dispatch.h"
#include "math/kernels/tiles.h"

namespace headlight {

float quantize_row(std::span<const float> x, QuantizedLayout layout, std::byte* out) {
  return HEADLIGHT_KERNEL(quantize_one)(x.data(), x.size(), layout, out);
}

void multiply(const QuantizedRows& x, const QuantizedPanels& w, const float* bias, Matrix out) {
  if (w.layout == QuantizedLayout::tiles) return multiply_in_tiles(x, w, bias, out);
  HEADLIGHT_KERNEL(multiply_quantized)(x, w, bias, out);
}

}  // namespace headlight
#endif
