// Weights as the encoder uses them: a linear layer and a lookup table, each hiding how its numbers
// are stored.
#pragma once

#include <cstddef>
#include <span>

#include "math/functions.h"
#include "math/matrix.h"
#include "math/number_format.h"

namespace headlight {

/// Where each text's rows begin in a ragged [n, …] matrix; the last entry is n. Rows of one text
/// never depend on another's.
using RowStarts = std::span<const std::size_t>;

/// y = act(x · weightᵀ + bias). The weights must outlive it.
struct Linear {
  ConstMatrix weight;           // [out, in]
  std::span<const float> bias;  // [out], or empty

  /// y [n, out] from x [n, in], one product a text.
  void apply(RowStarts starts, ConstMatrix x, Matrix y,
             Activation activation = Activation::linear) const;

  std::size_t out() const { return weight.rows; }
};

/// Rows looked up by number, widened as they are read, so that a vocabulary's table costs memory
/// only for the rows in use. The bytes must outlive it and need no alignment.
struct Table {
  NumberFormat format = NumberFormat::f32;
  const std::byte* bytes = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;

  /// out [cols] ← row `index`; index < rows.
  void read(std::size_t index, std::span<float> out) const;
};

}  // namespace headlight
