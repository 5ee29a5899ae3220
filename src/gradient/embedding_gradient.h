// The backward pass of the embeddings (encoder/embedding.h).
#pragma once

#include "gradient/backward_pass.h"

namespace headlight {

/// Adds the gradients of the embeddings, from dx [n, d], that of the first layer's input. dx is
/// overwritten.
void embedding_gradient(const BackwardPass& pass, Matrix dx);

}  // namespace headlight
