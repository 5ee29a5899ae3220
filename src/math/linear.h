// A linear layer, which hides how its numbers are stored and by what they are multiplied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "math/functions.h"
#include "math/matrix.h"
#include "math/products.h"
#include "math/quantized.h"
#include "math/table.h"

namespace headlight {

/// Which products linear layers use, quantized ones apart: ours (products.h), or OpenBLAS, whose
/// last bits depend on how many rows are multiplied together.
enum class LinearKernels : std::uint8_t { packed, openblas };

/// Ours, where the processor has vectors that we have kernels for.
LinearKernels linear_kernels();
/// Not while layers are applied.
void use_linear_kernels(LinearKernels kernels);

/// y = act(x · weightᵀ + bias). The numbers must outlive it.
struct Linear {
  Table weight;                 // [out, in]
  std::span<const float> bias;  // [out], or empty
  /// The same weights packed; nullptr: packed a few panels at a time whenever they are used, which
  /// gives the same bits.
  const float* panels = nullptr;
  /// Without data: not quantized. Else what is multiplied with, instead of the weights.
  QuantizedPanels quantized = {};

  /// y [n, out] from x [n, in]. Threads that have nothing to do help.
  void apply(ConstMatrix x, Matrix y, Activation activation = Activation::linear) const;

  bool is_quantized() const { return quantized.data != nullptr; }
  std::size_t out() const { return weight.rows; }
  std::size_t in() const { return weight.cols; }
  /// The outputs [first, first + count) alone, of the weights as they are stored.
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

/// Packs the panels [first, last) of `weight` to where they belong in `panels`.
void pack_panels(const Table& weight, std::size_t first, std::size_t last, float* panels);

}  // namespace headlight
