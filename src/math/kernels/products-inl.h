// The register tile of every matrix product: a few rows of x times panels of 16 columns. Included
// once per instruction set.
#if defined(HEADLIGHT_PRODUCTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_PRODUCTS_INL_H
#undef HEADLIGHT_PRODUCTS_INL_H
#else
#define HEADLIGHT_PRODUCTS_INL_H
#endif

#include <cstddef>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "math/kernels/lanes-inl.h"

// Without this, g++ 12 keeps the accumulators of the tile in memory.
#undef HEADLIGHT_UNROLL
#ifdef __clang__
#define HEADLIGHT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HEADLIGHT_UNROLL _Pragma("GCC unroll 16")
#endif

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

/// The maximum number of rows of a tile, and its number of panels then. Tiles with fewer rows have
/// more panels, so that there are enough chains to hide the latency of a multiply-add.
#if HWY_TARGET == HWY_AVX3
constexpr std::size_t kTileRows = 12;
constexpr std::size_t kTilePanels = 2;
#elif HWY_TARGET == HWY_SSE4
constexpr std::size_t kTileRows = 3;
constexpr std::size_t kTilePanels = 1;
#elif HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
constexpr std::size_t kTileRows = 1;
constexpr std::size_t kTilePanels = 1;
#else
constexpr std::size_t kTileRows = 6;
constexpr std::size_t kTilePanels = 1;
#endif

constexpr std::size_t rows_beside(std::size_t panels) {
  const std::size_t rows = kTileRows * kTilePanels / panels;
  return rows < kTileRows ? rows : kTileRows;
}

/// What a tile does in one step over the rows of its panels. A row of a panel has kElements numbers
/// per column, and columns(row, i) are the i-th of them.
struct FloatStep {
  static constexpr std::size_t kElements = 1;

  static HWY_INLINE Vector columns(Vector row, std::size_t /*element*/) { return row; }
  static HWY_INLINE Vector add(Vector element, Vector columns, Vector sums) {
    return hn::MulAdd(element, columns, sums);
  }
};

/// The data that all tiles of a product share. Strides are in floats.
struct TileShape {
  std::size_t depth;       // remaining columns of x, a multiple of kElements
  std::size_t x_stride;    // between rows of x
  std::size_t step;        // between the rows of a panel
  std::size_t next_panel;  // between panels
  std::size_t out_stride;
  const float* ahead = nullptr;  // the panels that are used next; nullptr: unknown
  std::size_t ahead_step = 0;    // how far a step of a tile gets in loading them
};

/// A column of the rows of x, moving from the first column to the last.
template <std::size_t kRows>
class Column {
 public:
  HWY_INLINE Column(const float* x, std::size_t stride) : stride_(stride) {
    HEADLIGHT_UNROLL
    for (std::size_t i = 0; i < kPointers; ++i) at_[i] = x + i * kShare * stride;
  }
  HWY_INLINE float operator[](std::size_t row) const {
    return at_[row / kShare][row % kShare * stride_];
  }
  HWY_INLINE const float* top() const { return at_[0]; }
  HWY_INLINE void advance() {
    HEADLIGHT_UNROLL
    for (std::size_t i = 0; i < kPointers; ++i) {
      ++at_[i];
#if HWY_TARGET == HWY_AVX3
      asm("" : "+r"(at_[i]));  // keeps g++ from using one pointer per row
#endif
    }
  }

 private:
  // There are not enough registers for twelve pointers, but an address can include one or two
  // strides.
  static constexpr std::size_t kShare = HWY_TARGET == HWY_AVX3 ? 3 : kTileRows;
  static constexpr std::size_t kPointers = (kRows + kShare - 1) / kShare;

  const float* at_[kPointers];
  std::size_t stride_;
};

/// out [kRows, 16 · kPanels] = start + x · panels, each element one chain of additions over k.
/// Each row starts with `bias` [16 · kPanels]; nullptr: with the values in `out`. With kLoadsAhead
/// each step also loads a part of `shape.ahead` into the cache.
template <typename Step, std::size_t kRows, std::size_t kPanels, bool kLoadsAhead>
HWY_INLINE void multiply_tile(const TileShape& shape, const float* HWY_RESTRICT x,
                              const float* HWY_RESTRICT panels, const float* HWY_RESTRICT bias,
                              float* HWY_RESTRICT out) {
  constexpr std::size_t kVectors = kPanels * kParts;
  const Floats d;
  Vector sums[kRows][kVectors];
  HEADLIGHT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    const float* start = bias != nullptr ? bias : out + i * shape.out_stride;
    HEADLIGHT_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) sums[i][j] = hn::LoadU(d, start + j * kLanes);
  }
  const float* const end = x + shape.depth;
  const float* ahead = shape.ahead;
  for (Column<kRows> column(x, shape.x_stride); column.top() != end; panels += shape.step) {
    HEADLIGHT_UNROLL
    for (std::size_t element = 0; element < Step::kElements; ++element) {
      Vector columns[kVectors];
      HEADLIGHT_UNROLL
      for (std::size_t j = 0; j < kVectors; ++j) {
        const float* const row = panels + (j / kParts) * shape.next_panel + (j % kParts) * kLanes;
        columns[j] = Step::columns(hn::LoadU(d, row), element);
      }
      HEADLIGHT_UNROLL
      for (std::size_t i = 0; i < kRows; ++i) {
        const Vector x_element = hn::Set(d, column[i]);
        HEADLIGHT_UNROLL
        for (std::size_t j = 0; j < kVectors; ++j) {
          sums[i][j] = Step::add(x_element, columns[j], sums[i][j]);
        }
      }
      column.advance();
    }
    if constexpr (kLoadsAhead) {
      HEADLIGHT_UNROLL
      for (std::size_t j = 0; j < kPanels; ++j) hwy::Prefetch(ahead + j * shape.next_panel);
      ahead += shape.ahead_step;
    }
  }
  HEADLIGHT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    HEADLIGHT_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) {
      hn::StoreU(sums[i][j], d, out + i * shape.out_stride + j * kLanes);
    }
  }
}

/// The same for a number of rows that is known only at run time, at most kRows.
/// Six parameters here and below: `shape` is the same for all tiles, the others move with them.
template <typename Step, std::size_t kRows, std::size_t kPanels, bool kLoadsAhead>
HWY_INLINE void multiply_rows(std::size_t rows, const TileShape& shape, const float* x,
                              const float* panels, const float* bias, float* out) {
  if constexpr (kRows > 1) {
    if (rows < kRows) {
      return multiply_rows<Step, kRows - 1, kPanels, kLoadsAhead>(rows, shape, x, panels, bias,
                                                                  out);
    }
  }
  multiply_tile<Step, kRows, kPanels, kLoadsAhead>(shape, x, panels, bias, out);
}

/// Of `tiles` tiles with `rows` rows in all, how many load the panels that are used next: the more,
/// the more evenly the memory is used. With fewer rows a product takes no longer than loading its
/// panels, so that there is nothing to gain.
HWY_INLINE std::size_t loading_tiles(std::size_t rows, std::size_t tiles) {
  constexpr std::size_t kFewestRows = 12;
  if (rows < kFewestRows) return 0;
  return tiles > 4 ? 4 : tiles;
}

/// `rows` rows times kPanels panels, in tiles of nearly equal size. The last ones load the panels
/// that are used next, or the first tile there would wait for the memory, which is idle until then.
template <typename Step, std::size_t kPanels>
HWY_NOINLINE void multiply_panels(std::size_t rows, TileShape shape, const float* x,
                                  const float* panels, const float* bias, float* out) {
  constexpr std::size_t kRows = rows_beside(kPanels);
  std::size_t tiles = (rows + kRows - 1) / kRows;
  const std::size_t loading = shape.ahead == nullptr ? 0 : loading_tiles(rows, tiles);
  if (loading > 0) shape.ahead_step = (kStep + loading - 1) / loading;
  while (rows > 0) {
    const std::size_t count = (rows + tiles - 1) / tiles;
    if (tiles > loading) {
      multiply_rows<Step, kRows, kPanels, false>(count, shape, x, panels, bias, out);
    } else {
      multiply_rows<Step, kRows, kPanels, true>(count, shape, x, panels, bias, out);
      shape.ahead += shape.depth / Step::kElements * shape.ahead_step;
    }
    x += count * shape.x_stride;
    out += count * shape.out_stride;
    rows -= count;
    --tiles;
  }
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
