#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels/double_products.cpp"

#include "math/double_products.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/kernels/float64-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using PanelTag = hn::CappedTag<double, kDoubleColumns>;
constexpr std::size_t kPanelLanes = hn::MaxLanes(PanelTag());
constexpr std::size_t kPanelVectors = kDoubleColumns / kPanelLanes;
// With 32 registers of a whole panel, tiles of 16 sums; with 16 of half a panel, of 8.
constexpr bool kWidest = kPanelVectors == 1;
constexpr std::size_t kTileRows = kWidest ? 8 : 4;
constexpr std::size_t kTilePanels = kWidest ? 2 : 1;

/// Rows rows and Panels · kDoubleColumns columns of the result.
template <std::size_t Rows, std::size_t Panels>
HWY_INLINE void add_tile(std::size_t inner, const StridedDoubles& a, const double* b, double* out,
                         std::size_t stride) {
  constexpr std::size_t kVectors = Panels * kPanelVectors;
  const PanelTag d;
  hn::Vec<PanelTag> sums[Rows][kVectors];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Rows; ++i) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[i][v] = hn::LoadU(d, out + i * stride + v * kPanelLanes);
    }
  }
  for (std::size_t k = 0; k < inner; ++k) {
    const double* column = a.data + k * a.column_stride;
    const double* row = b + k * stride;
    hn::Vec<PanelTag> factors[kVectors];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      factors[v] = hn::LoadU(d, row + v * kPanelLanes);
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Rows; ++i) {
      const auto one = hn::Set(d, column[i * a.row_stride]);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[i][v] = hn::MulAdd(one, factors[v], sums[i][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Rows; ++i) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(sums[i][v], d, out + i * stride + v * kPanelLanes);
    }
  }
}

/// All rows of Panels panels.
template <std::size_t Panels>
void add_panels(const ProductShape& shape, const StridedDoubles& a, const double* b, double* out,
                std::size_t stride) {
  std::size_t i = 0;
  const auto rest = [&] {
    return StridedDoubles{a.data + i * a.row_stride, a.row_stride, a.column_stride};
  };
  for (; i + kTileRows <= shape.rows; i += kTileRows) {
    add_tile<kTileRows, Panels>(shape.inner, rest(), b, out + i * stride, stride);
  }
  for (; i < shape.rows; ++i) add_tile<1, Panels>(shape.inner, rest(), b, out + i * stride, stride);
}

void add_product_of(const ProductShape& shape, const StridedDoubles& a, const double* b,
                    double* out, std::size_t stride) {
  constexpr std::size_t kWide = kTilePanels * kDoubleColumns;
  std::size_t j = 0;
  for (; j + kWide <= shape.columns; j += kWide) {
    add_panels<kTilePanels>(shape, a, b + j, out + j, stride);
  }
  for (; j < shape.columns; j += kDoubleColumns) {
    add_panels<1>(shape, a, b + j, out + j, stride);
  }
}

}  // namespace headlight::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "math/kernels/dispatch.h"

namespace headlight {

void add_double_product(const ProductShape& shape, const StridedDoubles& a, const double* b,
                        double* out, std::size_t stride) {
  HEADLIGHT_KERNEL(add_product_of)(shape, a, b, out, stride);
}

}  // namespace headlight
#endif
