// The convolution of DeBERTa-v2 beside the first layer: each token reads the vectors of its
// neighbours. It ends at the ends of a text, as if zeros followed.
#pragma once

#include <cstddef>
#include <span>

#include "encoder/pass.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// act(conv(x)) of the input x [n, d] of the first layer, [n, d]; valid until the next batch. Empty
/// without convolution.
ConstMatrix convolve(const Description& model, const Weights& weights, Pass& pass, ConstMatrix x);

/// LN(x + convolution), in x [n, d], or x [t, d] with Pass::rows; with a tape, in its memory.
Matrix add_convolution(const LayerNorm& norm, ConstMatrix convolution, Pass& pass, Matrix x);

/// Row i of out [n, k · w] is rows i - k/2 … i + k/2 of x [n, w], which is one text; zeros outside.
void gather_windows(std::size_t kernel, ConstMatrix x, Matrix out);

}  // namespace headlight
