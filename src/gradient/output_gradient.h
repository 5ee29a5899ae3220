// The backward pass of the head (encoder/head.h), from the gradients of logits and vectors to that
// of the encoded tokens.
#pragma once

#include "gradient/backward_pass.h"

namespace headlight {

/// dlogits [t, c] or [n, c], and dvectors [t, d] or empty → dx, that of Moment::encoded.
void output_gradient(const BackwardPass& pass, ConstMatrix dlogits, ConstMatrix dvectors,
                     Matrix dx);

}  // namespace headlight
