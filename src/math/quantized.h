// Products of 8-bit integers. A row of weights becomes integers from -127 to 127 with its own
// scale: q = round(v · 127 / max|v|), halves to even. A row of x becomes integers from 0 to 254
// with a scale and a zero point: with lowest = min(v, 0) and highest = max(v, 0), scale = (highest
// - lowest) / 254, zero = round(-lowest / scale) and q = round(v / scale) + zero (Jacob et al.
// 2018, "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
// Inference", §2.1). The sum of the products (q - zero) · q of weights is exact, then y = sum ·
// (scale of x · scale of w) + bias: the bits of an element depend only on its row and its column.
// multiply() and the functions of one row are defined in kernels/int8.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "math/matrix.h"
#include "math/products.h"
#include "math/table.h"

namespace headlight {

/// The maximum row length for which every sum of products fits in 32 bits: 2^31 / (254 · 127).
inline constexpr std::size_t kMostQuantizedDepth = 66'000;

/// The group of numbers that a kernel multiplies at once: pairs of 16 bits, or fours of 8 bits if
/// the processor has such dot products. Tiles (AMX) have the memory of fours. All give the same
/// bits.
enum class QuantizedLayout : std::uint8_t { pairs, fours, tiles };

/// The fastest layout that the instruction set in use supports. A test product checks that the
/// results are correct.
QuantizedLayout best_quantized_layout();
/// "pairs of 16 bits", "fours of 8 bits", "tiles of 8 bits"
std::string layout_name(QuantizedLayout layout);

/// Weights [o, k] quantized, in panels of 16 outputs. A panel consists of 16 scales, 16 numbers of
/// 32 bits that times a zero point are the start values of the sums, and the integers
/// [k / g, 16, g] with g = 2 or 4, padded with zeros.
struct QuantizedPanels {
  const std::byte* data = nullptr;
  std::size_t depth = 0;    // k
  std::size_t columns = 0;  // o
  QuantizedLayout layout = QuantizedLayout::pairs;

  static constexpr std::size_t kHeader = 2 * kPanelColumns * sizeof(float);  // bytes

  /// k rounded up to a multiple of 64, the row of a tile.
  static constexpr std::size_t padded(std::size_t depth) { return (depth + 63) / 64 * 64; }
  static constexpr std::size_t panel_bytes(std::size_t depth) {
    return kHeader + padded(depth) * kPanelColumns;
  }
  static constexpr std::size_t bytes(std::size_t depth, std::size_t columns) {
    return Panels::count(columns) * panel_bytes(depth);
  }
  /// The `count` panels from panel `first` on.
  QuantizedPanels range(std::size_t first, std::size_t count) const;
};

/// The scale and the zero point of a row. A row with a number that is not finite has the scale NaN.
struct RowScale {
  float scale = 0.0F;
  std::int32_t zero = 0;
};

/// Quantized rows of x. A row has its RowScale and, at offset kHeader bytes, its integers: q - zero
/// in 16 bits each for pairs, q in 8 bits for the others.
struct QuantizedRows {
  std::byte* data = nullptr;
  std::size_t rows = 0;
  std::size_t stride = 0;  // bytes
  QuantizedLayout layout = QuantizedLayout::pairs;

  static constexpr std::size_t kHeader = 64;  // bytes

  /// Rows of `depth` numbers, stored in `memory`.
  static QuantizedRows shape(QuantizedLayout layout, std::size_t rows, std::size_t depth,
                             Buffer& memory);
  QuantizedRows range(std::size_t first, std::size_t count) const {
    return {data + first * stride, count, stride, layout};
  }
};

/// out [n] ← x [n, k]
void quantize_rows(ConstMatrix x, const QuantizedRows& out);

/// Quantizes the panels [first, last) of `weight` [o, k] to their places in `panels`, which has
/// QuantizedPanels::bytes(k, o). The depth is at most kMostQuantizedDepth.
void quantize_panels(const Table& weight, QuantizedLayout layout, std::size_t first,
                     std::size_t last, std::byte* panels);

/// out [n, o] = x [n, k] · w [k, o] + bias [o]; nullptr: no bias. Both have the same layout.
void multiply(const QuantizedRows& x, const QuantizedPanels& w, const float* bias, Matrix out);

/// Writes the integers of one row of x in the format of QuantizedRows, QuantizedPanels::padded().
RowScale quantize_row(std::span<const float> x, QuantizedLayout layout, std::byte* out);

/// Writes the integers of one row of weights, QuantizedPanels::padded(); returns their scale.
float quantize_weights(std::span<const float> weights, std::int16_t* out);

}  // namespace headlight
