// One encoder layer: attention, then feed-forward, each with its residual and norm
// (Vaswani et al. 2017, §3.1; pre-norm: Xiong et al. 2020, "On Layer Normalization in the
// Transformer Architecture").
#pragma once

#include "encoder/pass.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// x [n, d] → [n, d] ([n, H] for a single layer without output projection). With Pass::rows only
/// those rows are computed after keys and values: [t, d]. Both matrices are in scratch.hidden.
Matrix run_layer(const LayerDescription& layer, const LayerWeights& weights, Pass& pass, Matrix x);

}  // namespace headlight
