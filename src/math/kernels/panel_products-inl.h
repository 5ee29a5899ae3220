// A product of any size from register tiles: groups of panels, parts of k, and columns that fill no
// panel. Included once per instruction set.
#if defined(HEADLIGHT_PANEL_PRODUCTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_PANEL_PRODUCTS_INL_H
#undef HEADLIGHT_PANEL_PRODUCTS_INL_H
#else
#define HEADLIGHT_PANEL_PRODUCTS_INL_H
#endif

#include <cstddef>

#include <hwy/highway.h>

#include "math/kernels/products-inl.h"
#include "math/matrix.h"

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
  bool adds = false;  // to the values in `out`; there is no bias then
};

/// Panels from `panel` to `panel` + kPanels - 1, with all their columns.
template <typename Step, std::size_t kPanels>
HWY_INLINE void multiply_group(const Product& product, std::size_t panel) {
  const ConstMatrix& x = product.x;
  const float* b = product.b + panel * product.next_panel;
  const float* bias = product.bias == nullptr ? kNoBias : product.bias + panel * kColumns;
  if (product.adds) bias = nullptr;
  float* out = product.out.data + panel * kColumns;
  std::size_t k = 0;
  do {
    const std::size_t depth = x.cols - k < kDepth ? x.cols - k : kDepth;
    TileShape shape{depth, x.stride, product.step, product.next_panel, product.out.stride};
    const float* const panels = b + k / Step::kElements * product.step;
    if (product.step == kColumns) {  // else each row of b has cache lines of its own
      const bool is_last = k + depth == x.cols;
      shape.ahead =
          is_last ? b + kPanels * product.next_panel : panels + depth / Step::kElements * kColumns;
    }
    multiply_panels<Step, kPanels>(x.rows, shape, x.data + k, panels, k == 0 ? bias : nullptr, out);
    k += depth;
  } while (k < x.cols);
}

/// Multiplies all complete groups of kPanels. Returns the first remaining panel.
template <typename Step, std::size_t kPanels>
HWY_INLINE std::size_t multiply_groups(const Product& product, std::size_t first,
                                       std::size_t last) {
  if constexpr (rows_beside(kPanels) > 0) {
    if (kPanels > kTilePanels && product.x.rows > rows_beside(kPanels)) return first;
    while (first + kPanels <= last) {
      multiply_group<Step, kPanels>(product, first);
      first += kPanels;
    }
  }
  return first;
}

template <typename Step>
void multiply_whole(const Product& product) {
  const std::size_t last = product.out.cols / kColumns;
  std::size_t panel = multiply_groups<Step, 4>(product, 0, last);
  panel = multiply_groups<Step, 2>(product, panel, last);
  multiply_groups<Step, 1>(product, panel, last);
}

/// to [rows, 16] ← the last `count` columns, and zeros.
HWY_INLINE void load_rest(ConstMatrix from, std::size_t count, float* to) {
  const std::size_t first = from.cols - count;
  for (std::size_t i = 0; i < from.rows; ++i) {
    const float* row = from.data + i * from.stride + first;
    for (std::size_t j = 0; j < kColumns; ++j) to[i * kColumns + j] = j < count ? row[j] : 0.0F;
  }
}

/// The last `count` columns, fewer than a panel: computed in separate memory and copied. `b` is a
/// whole panel.
template <typename Step>
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
    if (product.adds) load_rest(product.out.row_range(row, rows), count, out);
    multiply_group<Step, 1>({product.x.row_range(row, rows), b, kColumns, 0, bias,
                             Matrix(out, rows, kColumns), product.adds},
                            0);
    for (std::size_t i = 0; i < rows; ++i) {
      float* to = product.out.data + (row + i) * product.out.stride + first;
      for (std::size_t j = 0; j < count; ++j) to[j] = out[i * kColumns + j];
    }
  }
}

/// The whole product with `product.b` in panels of 16 columns, the last one padded.
template <typename Step>
void multiply_by_panels(const Product& product) {
  multiply_whole<Step>(product);
  const std::size_t columns = product.out.cols;
  const std::size_t rest = columns % kColumns;
  if (rest > 0) {
    multiply_rest<Step>(product, product.b + columns / kColumns * product.next_panel, rest);
  }
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
