#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels/products.cpp"

#include "math/products.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/kernels/products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

constexpr std::size_t kColumns = kStep;  // of a panel
constexpr std::size_t kMostRows = 96;    // that an incomplete panel processes at a time

// Steps over k during which sums stay in registers. This part of a panel stays in the L1 cache
// while all rows use it. Sums keep their bits when they are stored and loaded again.
#if HWY_TARGET == HWY_AVX3
constexpr std::size_t kDepth = 1024;
#else
constexpr std::size_t kDepth = 512;
#endif

HWY_ALIGN constexpr float kNoBias[4 * kColumns] = {};

/// The two factors of a product and its destination; the rows of b are `step` floats apart.
struct Product {
  ConstMatrix x;
  const float* b;
  std::size_t step;
  std::size_t next_panel;
  const float* bias;
  Matrix out;
};

/// Panels from `panel` to `panel` + kPanels - 1, with all their columns.
template <std::size_t kPanels>
HWY_INLINE void multiply_group(const Product& product, std::size_t panel) {
  const ConstMatrix& x = product.x;
  const float* b = product.b + panel * product.next_panel;
  const float* bias = product.bias == nullptr ? kNoBias : product.bias + panel * kColumns;
  float* out = product.out.data + panel * kColumns;
  std::size_t k = 0;
  do {
    const std::size_t depth = x.cols - k < kDepth ? x.cols - k : kDepth;
    const TileShape shape{depth, x.stride, product.step, product.next_panel, product.out.stride};
    multiply_panels<kPanels>(x.rows, shape, x.data + k, b + k * product.step,
                             k == 0 ? bias : nullptr, out);
    k += depth;
  } while (k < x.cols);
}

/// Multiplies all complete groups of kPanels. Returns the first remaining panel.
template <std::size_t kPanels>
HWY_INLINE std::size_t multiply_groups(const Product& product, std::size_t first,
                                       std::size_t last) {
  if constexpr (rows_beside(kPanels) > 0) {
    if (kPanels > kTilePanels && product.x.rows > rows_beside(kPanels)) return first;
    while (first + kPanels <= last) {
      multiply_group<kPanels>(product, first);
      first += kPanels;
    }
  }
  return first;
}

void multiply_whole(const Product& product) {
  const std::size_t last = product.out.cols / kColumns;
  std::size_t panel = multiply_groups<4>(product, 0, last);
  panel = multiply_groups<2>(product, panel, last);
  multiply_groups<1>(product, panel, last);
}

/// The last `count` columns, fewer than a panel: computed in separate memory and copied. `b` is a
/// whole panel.
void multiply_rest(const Product& product, const float* b, std::size_t count) {
  const std::size_t first = product.out.cols - count;
  HWY_ALIGN float bias[kColumns] = {};
  for (std::size_t j = 0; product.bias != nullptr && j < count; ++j) {
    bias[j] = product.bias[first + j];
  }
  HWY_ALIGN float out[kMostRows * kColumns];
  for (std::size_t row = 0; row < product.x.rows; row += kMostRows) {
    const std::size_t left = product.x.rows - row;
    const std::size_t rows = left < kMostRows ? left : kMostRows;
    multiply_group<1>(
        {product.x.row_range(row, rows), b, kColumns, 0, bias, Matrix(out, rows, kColumns)}, 0);
    for (std::size_t i = 0; i < rows; ++i) {
      float* to = product.out.data + (row + i) * product.out.stride + first;
      for (std::size_t j = 0; j < count; ++j) to[j] = out[i * kColumns + j];
    }
  }
}

#if HWY_TARGET != HWY_SCALAR
/// Transposes four rows of four into four columns, written 16 floats apart.
HWY_INLINE void transpose_four(const float* const* rows, std::size_t k, float* out) {
  const hn::FixedTag<float, 4> d;
  const hn::RepartitionToWide<decltype(d)> wide;
  const auto r0 = hn::LoadU(d, rows[0] + k);
  const auto r1 = hn::LoadU(d, rows[1] + k);
  const auto r2 = hn::LoadU(d, rows[2] + k);
  const auto r3 = hn::LoadU(d, rows[3] + k);
  const auto low01 = hn::BitCast(wide, hn::InterleaveLower(d, r0, r1));
  const auto low23 = hn::BitCast(wide, hn::InterleaveLower(d, r2, r3));
  const auto high01 = hn::BitCast(wide, hn::InterleaveUpper(d, r0, r1));
  const auto high23 = hn::BitCast(wide, hn::InterleaveUpper(d, r2, r3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, low01, low23)), d, out);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, low01, low23)), d, out + kColumns);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, high01, high23)), d, out + 2 * kColumns);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, high01, high23)), d, out + 3 * kColumns);
}
#endif

/// Packs at most 16 rows as the columns of one panel.
HWY_INLINE void pack_panel(ConstMatrix rows, float* panel) {
  std::size_t k = 0;
#if HWY_TARGET != HWY_SCALAR
  if (rows.rows == kColumns) {
    const float* starts[kColumns];
    for (std::size_t i = 0; i < kColumns; ++i) starts[i] = rows.data + i * rows.stride;
    for (; k + 4 <= rows.cols; k += 4) {
      for (std::size_t i = 0; i < kColumns; i += 4) {
        transpose_four(starts + i, k, panel + k * kColumns + i);
      }
    }
  }
#endif
  for (; k < rows.cols; ++k) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      panel[k * kColumns + i] = i < rows.rows ? rows.data[i * rows.stride + k] : 0.0F;
    }
  }
}

void pack_rows(ConstMatrix rows, float* panels) {
  for (std::size_t first = 0; first < rows.rows; first += kColumns) {
    const std::size_t left = rows.rows - first;
    pack_panel(rows.row_range(first, left < kColumns ? left : kColumns),
               panels + first * rows.cols);
  }
}

void multiply_by_panels(ConstMatrix x, const Panels& w, const float* bias, Matrix out) {
  const std::size_t panel = w.depth * kColumns;
  const Product product{x, w.data, kColumns, panel, bias, out};
  multiply_whole(product);
  const std::size_t rest = w.columns % kColumns;
  if (rest > 0) multiply_rest(product, w.data + w.columns / kColumns * panel, rest);
}

/// How many rows of a column range that is narrower than a panel are copied at a time.
constexpr std::size_t kRestDepth = 128;

void multiply_in_place(ConstMatrix a, ConstMatrix b, Matrix out) {
  const Product product{a, b.data, b.stride, kColumns, nullptr, out};
  multiply_whole(product);
  const std::size_t rest = b.cols % kColumns;
  if (rest == 0) return;
  // One chain over k for the remaining columns, from copies that can be read as a whole panel.
  const std::size_t first = b.cols - rest;
  HWY_ALIGN float copies[kRestDepth * kColumns] = {};
  HWY_ALIGN float sums[kMostRows * kColumns] = {};
  for (std::size_t row = 0; row < a.rows; row += kMostRows) {
    const std::size_t rows = a.rows - row < kMostRows ? a.rows - row : kMostRows;
    for (std::size_t i = 0; i < rows * kColumns; ++i) sums[i] = 0.0F;
    for (std::size_t k = 0; k < a.cols; k += kRestDepth) {
      const std::size_t depth = a.cols - k < kRestDepth ? a.cols - k : kRestDepth;
      for (std::size_t i = 0; i < depth; ++i) {
        const float* from = b.data + (k + i) * b.stride + first;
        for (std::size_t j = 0; j < rest; ++j) copies[i * kColumns + j] = from[j];
      }
      const TileShape shape{depth, a.stride, kColumns, 0, kColumns};
      multiply_panels<1>(rows, shape, a.data + row * a.stride + k, copies, nullptr, sums);
    }
    for (std::size_t i = 0; i < rows; ++i) {
      float* to = out.data + (row + i) * out.stride + first;
      for (std::size_t j = 0; j < rest; ++j) to[j] = sums[i * kColumns + j];
    }
  }
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "math/kernels/dispatch.h"

namespace headlight {

Panels Panels::range(std::size_t first, std::size_t count) const {
  const std::size_t left = columns - first * kPanelColumns;
  const std::size_t most = count * kPanelColumns;
  return {data + first * kPanelColumns * depth, depth, left < most ? left : most};
}

void pack(ConstMatrix rows, float* panels) { HEADLIGHT_KERNEL(pack_rows)(rows, panels); }

void multiply(ConstMatrix x, const Panels& w, const float* bias, Matrix out) {
  HEADLIGHT_KERNEL(multiply_by_panels)(x, w, bias, out);
}

void multiply(ConstMatrix a, ConstMatrix b, Matrix out) {
  HEADLIGHT_KERNEL(multiply_in_place)(a, b, out);
}

}  // namespace headlight
#endif
