// The gradients of the functions of functions.h, by the chain rule: from the derivative of a loss
// with respect to a result to that with respect to the argument. A row's result depends only on
// that row, and has the same bits with every instruction set that rounds a multiply-add once.
// Defined in kernels/gradients.cpp.
#pragma once

#include <span>

#include "math/functions.h"
#include "math/matrix.h"

namespace headlight {

/// gradient [n, f] ← gradient · act'(x), x [n, f] the arguments of the activation. At a corner, the
/// derivative is that of the flatter side.
void activation_gradient(Activation activation, ConstMatrix x, Matrix gradient);

/// sums [o] += Σ over the rows of x [n, o], in their order.
void add_row_sums(ConstMatrix x, std::span<float> sums);

/// scores [m, n] ← p · (scores - Σ p · scores) · scale for each row: from the gradient of
/// p = softmax(x · scale) to that of x.
void softmax_gradient(ConstMatrix p, float scale, Matrix scores);

/// The gradients of a LayerNorm's parameters; they are added to.
struct NormGradient {
  std::span<float> gain;  // [d]
  std::span<float> bias;  // [d], or empty
  /// The divisor of a row counts as a constant: dx is that of a linear function.
  bool constant_divisor = false;
};

/// dx [n, d] = the gradient of LN(x [n, d]), from dy [n, d]. dx may be dy. The sums over rows are
/// chains in the order of the rows.
void layer_norm_gradient(const LayerNorm& norm, ConstMatrix x, ConstMatrix dy, Matrix dx,
                         const NormGradient& parameters);

}  // namespace headlight
