// A linear layer. It hides how the weights are stored and which kernels multiply them.
#pragma once

#include <cstddef>
#include <span>

#include "math/functions.h"
#include "math/matrix.h"
#include "math/prepared_weights.h"
#include "math/table.h"

namespace headlight {

/// y = act(x · weightᵀ + bias). Weight and bias must outlive it.
struct Linear {
  Table weight;                   // [out, in]
  std::span<const float> bias;    // [out], or empty
  PreparedWeights prepared = {};  // of `weight`

  /// x [n, in] → y [n, out]. Idle threads help.
  void apply(ConstMatrix x, Matrix y, Activation activation = Activation::linear) const;

  std::size_t out() const { return weight.rows; }
  std::size_t in() const { return weight.cols; }
  /// Only the outputs [first, first + count), computed from the stored weights.
  Linear outputs(std::size_t first, std::size_t count) const;
};

/// The activation of values that only `reader` reads: a coarse one, if it rounds them to 8 bits.
Activation activation_for(const Linear& reader, Activation activation);

/// One of several layers that read the same x.
struct LinearOutput {
  const Linear* linear;
  Matrix y;  // [n, out]
  Activation activation = Activation::linear;
};

/// Computes all layers as one product.
void apply_all(std::span<const LinearOutput> outputs, ConstMatrix x);

/// A product as blas_multiply_transposed() (blas.h).
using BlasProduct = void (*)(ConstMatrix x, ConstMatrix w, Matrix out);
/// The product of LinearForm::blas. Call it before there is such a layer. A program that does not
/// call it does not link OpenBLAS.
void use_blas(BlasProduct product);
bool has_blas();

}  // namespace headlight
