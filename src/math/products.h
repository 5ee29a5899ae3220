// Matrix products by our own kernels. An element is one chain of multiply-adds over k, from the
// first to the last, whatever else is computed with it: its bits depend on nothing but its row and
// its column. Defined in kernels/products.cpp.
#pragma once

#include <cstddef>

#include "math/matrix.h"

namespace headlight {

inline constexpr std::size_t kPanelColumns = 16;

/// The right-hand side of a product, [k, o], in panels of 16 columns: each is [k, 16], the last
/// filled up with zeros.
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
  /// From panel `first` on, all but those after the first `count`.
  Panels range(std::size_t first, std::size_t count) const;
};

/// Weights [o, k] as they are stored, or keys [n, k], become panels: Panels::floats(k, o) floats.
void pack(ConstMatrix rows, float* panels);

/// out [n, o] = x [n, k] · w [k, o] + bias [o]; nullptr: no bias.
void multiply(ConstMatrix x, const Panels& w, const float* bias, Matrix out);

/// out [n, o] = a [n, k] · b [k, o], b being used where it lies.
void multiply(ConstMatrix a, ConstMatrix b, Matrix out);

}  // namespace headlight
