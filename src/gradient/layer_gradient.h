// The backward pass of one encoder layer (encoder/layer.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "gradient/backward_pass.h"

namespace headlight {

/// dy, the gradient of the output of layer `index` ([n, d], or [t, d] with Pass::rows) → that of
/// its input x [n, d]. dy is overwritten.
void layer_gradient(const BackwardPass& pass, std::size_t index, Matrix dy, Matrix dx);

}  // namespace headlight
