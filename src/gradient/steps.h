// The steps of a backward pass, from the last to the first. Each turns the gradient of its output
// into that of its input, and adds those of its weights.
#pragma once

#include <cstddef>

#include "gradient/backward_pass.h"

namespace headlight {

/// output_gradient.cpp, of encoder/head.h: dlogits [t, c] or [n, c], and dvectors [t, d] or empty →
/// dx, that of Moment::encoded.
void output_gradient(const BackwardPass& pass, ConstMatrix dlogits, ConstMatrix dvectors,
                     Matrix dx);

/// layer_gradient.cpp, of encoder/layer.h: dy, the gradient of the output of layer `index` ([n, d],
/// or [t, d] with Pass::rows) → that of its input x [n, d]. dy is overwritten.
void layer_gradient(const BackwardPass& pass, std::size_t index, Matrix dy, Matrix dx);

/// attention_gradient.cpp, of encoder/attention.h: dy [m, d], the gradient of the output of the
/// attention of layer `index` → that of its input, dx [n, d].
void attention_gradient(const BackwardPass& pass, std::size_t index, ConstMatrix dy, Matrix dx);
/// There too: dz [t · c, d], the gradient of the output of label attention → that of the tokens, dx
/// [n, d].
void label_attention_gradient(const BackwardPass& pass, ConstMatrix dz, Matrix dx);

/// convolution_gradient.cpp, of encoder/convolution.h: dy [m, d], the gradient of
/// LN(x + convolution), becomes that of x, the output of the first layer. dx [n, d] becomes the
/// gradient of the embedded tokens, as far as the convolution reads them.
void convolution_gradient(const BackwardPass& pass, Matrix dy, Matrix dx);

/// embedding_gradient.cpp, of encoder/embedding.h: adds the gradients of the embeddings, from dx
/// [n, d], that of the first layer's input. dx is overwritten.
void embedding_gradient(const BackwardPass& pass, Matrix dx);

}  // namespace headlight
