// The register tile of products of 8-bit integers: a few rows of x times panels of 16 columns.
// Included once per instruction set.
#if defined(HEADLIGHT_INT8_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADLIGHT_INT8_INL_H
#undef HEADLIGHT_INT8_INL_H
#else
#define HEADLIGHT_INT8_INL_H
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "math/kernels/lanes-inl.h"
#include "math/kernels/products-inl.h"
#include "math/quantized.h"

HWY_BEFORE_NAMESPACE();
namespace headlight::HWY_NAMESPACE {

using Integers = hn::RebindToSigned<Floats>;
using Sums = hn::Vec<Integers>;

/// Bytes of x that are multiplied at once: two or four numbers.
constexpr std::size_t kElementBytes = 4;

/// The 32 bits at `bytes`, of any type, in every lane.
HWY_INLINE Sums broadcast(const std::byte* bytes) {
  std::int32_t bits = 0;
  std::memcpy(&bits, bytes, sizeof(bits));
  return hn::Set(Integers(), bits);
}

/// Two steps of k at once: pairs of 16-bit numbers in x, pairs of 8-bit numbers in a panel.
struct Pairs {
  static constexpr std::size_t kGroup = 2;
  static constexpr bool kHasZeros = false;  // the numbers of x are without zero point

  /// The pairs of kLanes columns, widened.
  static HWY_INLINE Sums columns(const std::byte* panel) {
#if HWY_TARGET == HWY_SCALAR
    const std::int16_t pair[2] = {static_cast<std::int8_t>(panel[0]),
                                  static_cast<std::int8_t>(panel[1])};
    return broadcast(reinterpret_cast<const std::byte*>(pair));
#else
    const hn::Repartition<std::int16_t, Integers> wide;
    const hn::Rebind<std::int8_t, decltype(wide)> narrow;
    const auto numbers = hn::LoadU(narrow, reinterpret_cast<const std::int8_t*>(panel));
    return hn::BitCast(Integers(), hn::PromoteTo(wide, numbers));
#endif
  }

  static HWY_INLINE Sums add(Sums sums, Sums x, Sums columns) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    const Integers d;
    const hn::Repartition<std::int16_t, Integers> pairs;
    Sums unused = hn::Zero(d);  // the products of a pair are already adjacent
    return hn::ReorderWidenMulAccumulate(d, hn::BitCast(pairs, x), hn::BitCast(pairs, columns),
                                         sums, unused);
#else
    const auto first = [](Sums pairs) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(pairs)); };
    const auto second = [](Sums pairs) { return hn::ShiftRight<16>(pairs); };
    sums = hn::Add(sums, hn::Mul(first(x), first(columns)));
    return hn::Add(sums, hn::Mul(second(x), second(columns)));
#endif
  }
};

#undef HEADLIGHT_HAS_FOURS
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#define HEADLIGHT_HAS_FOURS 1

/// Four steps of k at once: unsigned 8-bit numbers in x, signed 8-bit numbers in a panel. In
/// assembly, because the instruction is in none of the instruction sets that the kernels are
/// compiled for.
struct Fours {
  static constexpr std::size_t kGroup = 4;
  static constexpr bool kHasZeros = true;

  static HWY_INLINE Sums columns(const std::byte* panel) {
    return hn::BitCast(Integers(), hn::LoadU(hn::Repartition<std::int8_t, Integers>(),
                                             reinterpret_cast<const std::int8_t*>(panel)));
  }
  static HWY_INLINE Sums add(Sums sums, Sums x, Sums columns) {
#if HWY_TARGET == HWY_AVX3
    asm("vpdpbusd %2, %1, %0" : "+v"(sums.raw) : "v"(x.raw), "v"(columns.raw));
#else
    asm("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums.raw) : "x"(x.raw), "x"(columns.raw));
#endif
    return sums;
  }
};
#endif

/// The data that all tiles of a product share. Strides are in bytes, except for the last.
struct IntegerShape {
  std::size_t first;  // k
  std::size_t last;
  std::size_t depth;  // the k that ends the product
  std::size_t x_stride;
  std::size_t next_panel;
  std::size_t out_stride;            // floats
  const std::byte* ahead = nullptr;  // the panels that are used next
  std::size_t ahead_step = 0;        // how far a step of a tile gets in loading them
};

/// Vector j of the 16 · kPanels numbers at the same place of each panel.
HWY_INLINE const std::byte* panel_vector(const std::byte* place, std::size_t next_panel,
                                         std::size_t j, std::size_t vector_bytes) {
  return place + (j / kParts) * next_panel + (j % kParts) * vector_bytes;
}

/// What turns the sums of 16 · kPanels columns into numbers. Held in registers for all rows.
template <std::size_t kPanels>
struct Scaling {
  static constexpr std::size_t kVectors = kPanels * kParts;

  HWY_INLINE Scaling(const std::byte* panels, std::size_t next_panel, const float* bias) {
    HEADLIGHT_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) {
      const std::byte* scales = panel_vector(panels, next_panel, j, kLanes * sizeof(float));
      factors[j] = hn::LoadU(Floats(), reinterpret_cast<const float*>(scales));
      starts[j] = hn::LoadU(Floats(), bias + j * kLanes);
    }
  }
  HWY_INLINE void store(const Sums* sums, float x_scale, float* out) const {
    const Floats d;
    HEADLIGHT_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) {
      const Vector factor = hn::Mul(hn::Set(d, x_scale), factors[j]);
      hn::StoreU(hn::MulAdd(hn::ConvertTo(d, sums[j]), factor, starts[j]), d, out + j * kLanes);
    }
  }

  Vector factors[kVectors];
  Vector starts[kVectors];
};

/// The sums that a tile begins with: those for the zero points of its rows, or the partial ones in
/// `out`.
template <typename Products, std::size_t kRows, std::size_t kPanels>
HWY_INLINE void load_sums(const IntegerShape& shape, const std::byte* x, const std::byte* panels,
                          const float* out, Sums (&sums)[kRows][kPanels * kParts]) {
  constexpr std::size_t kVectors = kPanels * kParts;
  const Integers d;
  HEADLIGHT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    const Sums zero = broadcast(x + i * shape.x_stride + offsetof(RowScale, zero));
    HEADLIGHT_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) {
      const std::byte* starts = panels + kPanelColumns * sizeof(float);
      const std::byte* start = panel_vector(starts, shape.next_panel, j, kLanes * sizeof(float));
      if (shape.first > 0) {
        const float* const before = out + i * shape.out_stride + j * kLanes;
        sums[i][j] = hn::BitCast(d, hn::LoadU(Floats(), before));
      } else if constexpr (Products::kHasZeros) {
        sums[i][j] = hn::Mul(zero, hn::LoadU(d, reinterpret_cast<const std::int32_t*>(start)));
      } else {
        sums[i][j] = hn::Zero(d);
      }
    }
  }
}

/// Scales the final sums of a tile, or stores partial ones in `out` as integers. Six parameters, as
/// below.
template <std::size_t kRows, std::size_t kPanels>
HWY_INLINE void store_sums(const Sums (&sums)[kRows][kPanels * kParts], const IntegerShape& shape,
                           const std::byte* x, const std::byte* panels, const float* bias,
                           float* out) {
  constexpr std::size_t kVectors = kPanels * kParts;
  const Floats d;
  const std::size_t out_stride = shape.out_stride;
  if (shape.last == shape.depth) {
    const Scaling<kPanels> scaling(panels, shape.next_panel, bias);
    const std::size_t x_stride = shape.x_stride;
    HEADLIGHT_UNROLL
    for (std::size_t i = 0; i < kRows; ++i) {
      float x_scale = 0.0F;
      std::memcpy(&x_scale, x + i * x_stride, sizeof(x_scale));
      scaling.store(sums[i], x_scale, out + i * out_stride);
    }
    return;
  }
  HEADLIGHT_UNROLL
  for (std::size_t i = 0; i < kRows; ++i) {
    HEADLIGHT_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) {
      hn::StoreU(hn::BitCast(d, sums[i][j]), d, out + i * out_stride + j * kLanes);
    }
  }
}

/// out [kRows, 16 · kPanels] = x · panels over the k from first to last. Partial sums are stored in
/// `out` as integers. `bias` [16 · kPanels]. With kLoadsAhead each step also loads a part of
/// `shape.ahead` into the cache.
template <typename Products, std::size_t kRows, std::size_t kPanels, bool kLoadsAhead>
HWY_INLINE void multiply_tile(const IntegerShape& shape, const std::byte* HWY_RESTRICT x,
                              const std::byte* HWY_RESTRICT panels, const float* HWY_RESTRICT bias,
                              float* HWY_RESTRICT out) {
  constexpr std::size_t kVectors = kPanels * kParts;
  constexpr std::size_t kGroup = Products::kGroup;
  Sums sums[kRows][kVectors];
  load_sums<Products, kRows, kPanels>(shape, x, panels, out, sums);
  const std::byte* numbers = panels + QuantizedPanels::kHeader + shape.first * kPanelColumns;
  const std::byte* elements = x + QuantizedRows::kHeader + shape.first * kElementBytes / kGroup;
  const std::byte* ahead = shape.ahead;
  for (std::size_t k = shape.first; k < shape.last; k += kGroup) {
    Sums columns[kVectors];
    HEADLIGHT_UNROLL
    for (std::size_t j = 0; j < kVectors; ++j) {
      columns[j] = Products::columns(panel_vector(numbers, shape.next_panel, j, kLanes * kGroup));
    }
    HEADLIGHT_UNROLL
    for (std::size_t i = 0; i < kRows; ++i) {
      const Sums element = broadcast(elements + i * shape.x_stride);
      HEADLIGHT_UNROLL
      for (std::size_t j = 0; j < kVectors; ++j) {
        sums[i][j] = Products::add(sums[i][j], element, columns[j]);
      }
    }
    numbers += kGroup * kPanelColumns;
    elements += kElementBytes;
    if constexpr (kLoadsAhead) {
      HEADLIGHT_UNROLL
      for (std::size_t j = 0; j < kPanels; ++j) hwy::Prefetch(ahead + j * shape.next_panel);
      ahead += shape.ahead_step;
    }
  }
  store_sums<kRows, kPanels>(sums, shape, x, panels, bias, out);
}

/// The same for a number of rows that is known only at run time, at most kRows.
/// Six parameters here and below: `shape` is the same for all tiles, the others move with them.
template <typename Products, std::size_t kRows, std::size_t kPanels, bool kLoadsAhead>
HWY_INLINE void multiply_rows(std::size_t rows, const IntegerShape& shape, const std::byte* x,
                              const std::byte* panels, const float* bias, float* out) {
  if constexpr (kRows > 1) {
    if (rows < kRows) {
      return multiply_rows<Products, kRows - 1, kPanels, kLoadsAhead>(rows, shape, x, panels, bias,
                                                                      out);
    }
  }
  multiply_tile<Products, kRows, kPanels, kLoadsAhead>(shape, x, panels, bias, out);
}

/// `rows` rows times kPanels panels, in tiles of nearly equal size. The last ones load the panels
/// that are used next, as in products-inl.h.
template <typename Products, std::size_t kPanels>
HWY_NOINLINE void multiply_panels(std::size_t rows, IntegerShape shape, const std::byte* x,
                                  const std::byte* panels, const float* bias, float* out) {
  constexpr std::size_t kRows = rows_beside(kPanels);
  std::size_t tiles = (rows + kRows - 1) / kRows;
  const std::size_t loading = loading_tiles(rows, tiles);
  if (loading > 0) shape.ahead_step = Products::kGroup * kPanelColumns / loading;
  while (rows > 0) {
    const std::size_t count = (rows + tiles - 1) / tiles;
    if (tiles > loading) {
      multiply_rows<Products, kRows, kPanels, false>(count, shape, x, panels, bias, out);
    } else {
      multiply_rows<Products, kRows, kPanels, true>(count, shape, x, panels, bias, out);
      shape.ahead += (shape.last - shape.first) / Products::kGroup * shape.ahead_step;
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
