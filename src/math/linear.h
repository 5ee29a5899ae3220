// A linear layer, which hides how its numbers are stored and by what they are multiplied.
#pragma once

#include <cstddef>
#include <span>

#include "math/functions.h"
#include "math/matrix.h"
#include "math/prepared_weights.h"
#include "math/table.h"

namespace headlight {

/// y = act(x · weightᵀ + bias). The numbers must outlive it.
struct Linear {
  Table weight;                   // [out, in]
  std::span<const float> bias;    // [out], or empty
  PreparedWeights prepared = {};  // of `weight`

  /// y [n, out] from x [n, in]. Threads that have nothing to do help.
  void apply(ConstMatrix x, Matrix y, Activation activation = Activation::linear) const;

  std::size_t out() const { return weight.rows; }
  std::size_t in() const { return weight.cols; }
  /// The outputs [first, first + count) alone, computed from the stored weights.
  Linear outputs(std::size_t first, std::size_t count) const;
};

/// One of several layers that read the same x.
struct LinearOutput {
  const Linear* linear;
  Matrix y;  // [n, out]
};

/// All of them, as one product.
void apply_all(std::span<const LinearOutput> outputs, ConstMatrix x,
               Activation activation = Activation::linear);

}  // namespace headlight
