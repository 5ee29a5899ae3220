// One encoder layer: attention, then feed-forward, each with its residual and norm
// (Vaswani et al. 2017, §3.1; pre-norm: Xiong et al. 2020, "On Layer Normalization in the
// Transformer Architecture").
#pragma once

#include <optional>
#include <span>

#include "encoder/batch.h"
#include "encoder/key_value_cache.h"
#include "encoder/scratch.h"
#include "encoder/trace.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// Some of the queries, keys and values of x [n, d], each [n, H].
void project(const HeadsDescription& heads, std::span<const LinearOutput> projections,
             ConstMatrix x);

/// What a layer reads besides x.
struct LayerInput {
  const Batch& batch;
  ConstMatrix relative_bias;  // as relative_bias() makes it
  /// Of the one text that the batch goes on with; takes the keys and values of these tokens.
  /// nullptr: texts come whole.
  KeyValueCache* cache = nullptr;
};

/// Takes x [n, d] and gives what the layer makes of it, [n, d] ([n, H] where a lone layer ends in
/// its heads). With `rows`, one of each text, only these are computed after the keys and values:
/// [t, d]. Both matrices live in scratch.hidden and scratch.sublayer, which swap their roles.
Matrix run_layer(const LayerDescription& layer, const LayerWeights& weights,
                 const LayerInput& input, std::span<const std::size_t> rows, Scratch& scratch,
                 Trace* trace, Matrix x);

}  // namespace headlight
