#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels/products.cpp"

#include "math/products.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/kernels/panel_products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
/// Transposes four rows of four into four columns, written `step` floats apart.
HWY_INLINE void transpose_four(const float* const* rows, std::size_t k, float* out,
                               std::size_t step) {
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
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, low01, low23)), d, out + step);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, high01, high23)), d, out + 2 * step);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, high01, high23)), d, out + 3 * step);
}
#endif

/// Loads one cache line of each of four rows. Steps of four over k load all of 16 rows: rows and
/// lines have 16 floats.
HWY_INLINE void load_ahead(ConstMatrix rows, std::size_t k) {
  const std::size_t first = k % kColumns;
  for (std::size_t i = first; i < first + 4 && i < rows.rows; ++i) {
    hwy::Prefetch(rows.data + i * rows.stride + k - first);
  }
}

/// What stands for the missing rows of an incomplete panel; longer ones are packed one by one.
constexpr std::size_t kMostZeros = 128;
HWY_ALIGN constexpr float kZeros[kMostZeros] = {};

/// Packs at most 16 rows as the columns of one panel. The rows of the next panel are loaded into
/// the cache meanwhile: short rows end before the processor sees that they are read in order.
HWY_INLINE void pack_panel(ConstMatrix rows, [[maybe_unused]] ConstMatrix next_rows, float* panel) {
  std::size_t k = 0;
#if HWY_TARGET != HWY_SCALAR
  const float* starts[kColumns];
  const auto pack = [&] {
    for (; k + 4 <= rows.cols; k += 4) {
      load_ahead(next_rows, k);
      for (std::size_t i = 0; i < kColumns; i += 4) {
        transpose_four(starts + i, k, panel + k * kColumns + i, kColumns);
      }
    }
  };
  if (rows.rows == kColumns) {
    for (std::size_t i = 0; i < kColumns; ++i) starts[i] = rows.data + i * rows.stride;
    pack();
  } else if (rows.cols <= kMostZeros) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      starts[i] = i < rows.rows ? rows.data + i * rows.stride : kZeros;
    }
    pack();
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
    const std::size_t count = left < kColumns ? left : kColumns;
    const std::size_t next = left - count < kColumns ? left - count : kColumns;
    pack_panel(rows.row_range(first, count), rows.row_range(first + count, next),
               panels + first * rows.cols);
  }
}

/// Packs at most 16 columns as they are.
HWY_INLINE void pack_column_panel(ConstMatrix columns, float* panel) {
  for (std::size_t k = 0; k < columns.rows; ++k, panel += kColumns) {
    const float* const from = columns.data + k * columns.stride;
    if (columns.cols == kColumns) {
      for (std::size_t j = 0; j < kColumns; j += kLanes) {
        hn::StoreU(hn::LoadU(Floats(), from + j), Floats(), panel + j);
      }
      continue;
    }
    for (std::size_t j = 0; j < kColumns; ++j) panel[j] = j < columns.cols ? from[j] : 0.0F;
  }
}

void pack_all_columns(ConstMatrix columns, float* panels) {
  for (std::size_t first = 0; first < columns.cols; first += kColumns) {
    const std::size_t left = columns.cols - first;
    pack_column_panel(columns.column_range(first, left < kColumns ? left : kColumns),
                      panels + first * columns.rows);
  }
}

void transpose_matrix(ConstMatrix x, Matrix out) {
  std::size_t whole_rows = 0;
  std::size_t whole_columns = 0;
#if HWY_TARGET != HWY_SCALAR
  whole_rows = x.rows - x.rows % 4;
  whole_columns = x.cols - x.cols % 4;
  for (std::size_t i = 0; i < whole_rows; i += 4) {
    const float* starts[4];
    for (std::size_t r = 0; r < 4; ++r) starts[r] = x.data + (i + r) * x.stride;
    for (std::size_t k = 0; k < whole_columns; k += 4) {
      transpose_four(starts, k, out.data + k * out.stride + i, out.stride);
    }
  }
#endif
  for (std::size_t i = 0; i < x.rows; ++i) {
    const std::size_t first = i < whole_rows ? whole_columns : 0;
    for (std::size_t k = first; k < x.cols; ++k) {
      out.data[k * out.stride + i] = x.data[i * x.stride + k];
    }
  }
}

void multiply_packed(ConstMatrix x, const Panels& w, const float* bias, Matrix out) {
  multiply_by_panels<FloatStep>({x, w.data, kColumns, w.depth * kColumns, bias, out});
}

void add_packed(ConstMatrix x, const Panels& w, Matrix out) {
  multiply_by_panels<FloatStep>({x, w.data, kColumns, w.depth * kColumns, nullptr, out, true});
}

/// How many rows of a column range that is narrower than a panel are copied at a time.
constexpr std::size_t kRestDepth = 128;

void multiply_unpacked(const Product& product, ConstMatrix b) {
  const ConstMatrix& a = product.x;
  const Matrix& out = product.out;
  multiply_whole<FloatStep>(product);
  const std::size_t rest = b.cols % kColumns;
  if (rest == 0) return;
  // One chain over k for the remaining columns, from copies that can be read as a whole panel.
  const std::size_t first = b.cols - rest;
  HWY_ALIGN float copies[kRestDepth * kColumns] = {};
  HWY_ALIGN float sums[kMostRows * kColumns] = {};
  for (std::size_t row = 0; row < a.rows; row += kMostRows) {
    const std::size_t rows = a.rows - row < kMostRows ? a.rows - row : kMostRows;
    for (std::size_t i = 0; i < rows * kColumns; ++i) sums[i] = 0.0F;
    if (product.adds) load_rest(out.row_range(row, rows), rest, sums);
    for (std::size_t k = 0; k < a.cols; k += kRestDepth) {
      const std::size_t depth = a.cols - k < kRestDepth ? a.cols - k : kRestDepth;
      for (std::size_t i = 0; i < depth; ++i) {
        const float* from = b.data + (k + i) * b.stride + first;
        for (std::size_t j = 0; j < rest; ++j) copies[i * kColumns + j] = from[j];
      }
      const TileShape shape{depth, a.stride, kColumns, 0, kColumns};
      multiply_panels<FloatStep, 1>(rows, shape, a.data + row * a.stride + k, copies, nullptr,
                                    sums);
    }
    for (std::size_t i = 0; i < rows; ++i) {
      float* to = out.data + (row + i) * out.stride + first;
      for (std::size_t j = 0; j < rest; ++j) to[j] = sums[i * kColumns + j];
    }
  }
}

void multiply_in_place(ConstMatrix a, ConstMatrix b, Matrix out) {
  multiply_unpacked({a, b.data, b.stride, kColumns, nullptr, out}, b);
}

void add_in_place(ConstMatrix a, ConstMatrix b, Matrix out) {
  multiply_unpacked({a, b.data, b.stride, kColumns, nullptr, out, true}, b);
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

void pack_columns(ConstMatrix columns, float* panels) {
  HEADLIGHT_KERNEL(pack_all_columns)(columns, panels);
}

void transpose(ConstMatrix x, Matrix out) { HEADLIGHT_KERNEL(transpose_matrix)(x, out); }

void multiply(ConstMatrix x, const Panels& w, const float* bias, Matrix out) {
  HEADLIGHT_KERNEL(multiply_packed)(x, w, bias, out);
}

void multiply(ConstMatrix a, ConstMatrix b, Matrix out) {
  HEADLIGHT_KERNEL(multiply_in_place)(a, b, out);
}

void multiply_add(ConstMatrix x, const Panels& w, Matrix out) {
  HEADLIGHT_KERNEL(add_packed)(x, w, out);
}

void multiply_add(ConstMatrix a, ConstMatrix b, Matrix out) {
  HEADLIGHT_KERNEL(add_in_place)(a, b, out);
}

}  // namespace headlight
#endif
