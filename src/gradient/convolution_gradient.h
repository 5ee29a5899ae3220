// The backward pass of the convolution beside the first layer (encoder/convolution.h).
#pragma once

#include "gradient/backward_pass.h"

namespace headlight {

/// dy [m, d], the gradient of LN(x + convolution), becomes that of x, the output of the first
/// layer. dx [n, d] becomes the gradient of the embedded tokens, as far as the convolution reads
/// them.
void convolution_gradient(const BackwardPass& pass, Matrix dy, Matrix dx);

}  // namespace headlight
