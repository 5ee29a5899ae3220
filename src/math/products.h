// Matrix products with our own kernels. Each element is one chain of multiply-adds over k, in
// order. Its bits depend only on its row and its column, not on the rest of the product. Defined in
// kernels/products.cpp.
#pragma once

#include <cstddef>

#include "math/matrix.h"

namespace headlight {

inline constexpr std::size_t kPanelColumns = 16;

/// The right-hand side of a product, [k, o], in panels of 16 columns. Each panel is [k, 16]; the
/// last one is padded with zeros.
struct Panels {
  const float* data = nullptr;
  std::size_t depth = 0;    // k
  std::size_t columns = 0;  // o

  static constexpr std::size_t count(std::size_t columns) {
    return (columns + kPanelColumns - 1) / kPanelColumns;
  }
  static constexpr std::size_t floats(std::size_t depth, std::size_t columns) {
    return count(columns) * kPanelColumns * depth;
  }
  /// `count` panels, starting with panel `first`.
  Panels range(std::size_t first, std::size_t count) const;
};

/// Packs weights [o, k] or keys [n, k] into panels of Panels::floats(k, o) floats.
void pack(ConstMatrix rows, float* panels);

/// Packs a right-hand side [k, o] as it is.
void pack_columns(ConstMatrix columns, float* panels);

/// out [o, k] = the transpose of x [k, o]
void transpose(ConstMatrix x, Matrix out);

/// out [n, o] = x [n, k] · w [k, o] + bias [o]; nullptr: no bias.
void multiply(ConstMatrix x, const Panels& w, const float* bias, Matrix out);

/// out [n, o] = a [n, k] · b [k, o], without packing b.
void multiply(ConstMatrix a, ConstMatrix b, Matrix out);

/// out [n, o] += x [n, k] · w [k, o]. The chain of each element goes on from its value, so a
/// product in several parts of k has the bits of the whole one.
void multiply_add(ConstMatrix x, const Panels& w, Matrix out);

/// out [n, o] += a [n, k] · b [k, o], without packing b.
void multiply_add(ConstMatrix a, ConstMatrix b, Matrix out);

}  // namespace headlight
