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

/// x [n, d] ← LN(x + convolution); with `rows`, x [t, d] has only those rows.
void add_convolution(const LayerNorm& norm, ConstMatrix convolution,
                     std::span<const std::size_t> rows, Matrix x);

}  // namespace headlight
