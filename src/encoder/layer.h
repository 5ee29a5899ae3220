// One encoder layer: attention, then feed-forward, each with its residual and norm
// (Vaswani et al. 2017, §3.1; pre-norm: Xiong et al. 2020, "On Layer Normalization in the
// Transformer Architecture").
#pragma once

#include "encoder/batch.h"
#include "encoder/scratch.h"
#include "encoder/trace.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// Queries, keys or values of x [n, d]: y [n, H].
void project(const HeadsDescription& heads, const Linear& linear, RowStarts starts, ConstMatrix x,
             Matrix y);

/// What all layers of a forward pass share.
struct LayerInput {
  const Batch& batch;
  ConstMatrix relative_bias;  // as relative_bias() makes it
};

/// Takes x [n, d] and gives what the layer makes of it, [n, d] ([n, H] where a lone layer ends in
/// its heads). Both live in scratch.hidden and scratch.sublayer, which swap their roles.
Matrix run_layer(const LayerDescription& layer, const LayerWeights& weights,
                 const LayerInput& input, Scratch& scratch, Trace* trace, Matrix x);

}  // namespace headlight
