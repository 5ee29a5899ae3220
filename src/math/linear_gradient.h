// The gradients of linear layers y = x · weightᵀ + bias, from that of y. Each element is one chain
// of multiply-adds, whatever the number of threads. Idle threads help.
#pragma once

#include <span>

#include "math/linear.h"
#include "math/matrix.h"

namespace headlight {

/// One of several layers that read the same x.
struct LinearGradient {
  const Linear* linear;
  ConstMatrix dy;  // [n, out]
};

/// dx [n, in] = Σ over the layers of dy · weight.
void input_gradient(std::span<const LinearGradient> layers, Matrix dx);

/// dweight [out, in] += dyᵀ · x, x [n, in]; dbias [out] += Σ over the rows of dy, unless it is
/// empty.
void weight_gradient(ConstMatrix dy, ConstMatrix x, Matrix dweight, std::span<float> dbias);

/// dbias [out] += Σ over the rows of dy.
void bias_gradient(ConstMatrix dy, std::span<float> dbias);

}  // namespace headlight
