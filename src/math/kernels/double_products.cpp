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

/// Rows rows and kDoubleColumns columns of the result.
template <std::size_t Rows>
HWY_INLINE void add_tile(std::size_t inner, const StridedDoubles& a, const double* b, double* out,
                         std::size_t stride) {
  const PanelTag d;
  hn::Vec<PanelTag> sums[Rows][kPanelVectors];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Rows; ++i) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kPanelVectors; ++v) {
      sums[i][v] = hn::LoadU(d, out + i * stride + v * kPanelLanes);
    }
  }
  for (std::size_t k = 0; k < inner; ++k) {
    const double* column = a.data + k * a.column_stride;
    const double* row = b + k * stride;
    hn::Vec<PanelTag> factors[kPanelVectors];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kPanelVectors; ++v) {
      factors[v] = hn::LoadU(d, row + v * kPanelLanes);
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Rows; ++i) {
      const auto one = hn::Set(d, column[i * a.row_stride]);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kPanelVectors; ++v) {
        sums[i][v] = hn::MulAdd(one, factors[v], sums[i][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Rows; ++i) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kPanelVectors; ++v) {
      hn::StoreU(sums[i][v], d, out + i * stride + v * kPanelLanes);
    }
  }
}

void add_product_of(const ProductShape& shape, const StridedDoubles& a, const double* b,
                    double* out, std::size_t stride) {
  constexpr std::size_t kRows = 4;
  for (std::size_t j = 0; j < shape.columns; j += kDoubleColumns) {
    std::size_t i = 0;
    const auto rest = [&] {
      return StridedDoubles{a.data + i * a.row_stride, a.row_stride, a.column_stride};
    };
    for (; i + kRows <= shape.rows; i += kRows) {
      add_tile<kRows>(shape.inner, rest(), b + j, out + i * stride + j, stride);
    }
    for (; i < shape.rows; ++i) {
      add_tile<1>(shape.inner, rest(), b + j, out + i * stride + j, stride);
    }
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
