// Token ids to vectors: E[id] · scale + P(position) + S[type], then LayerNorm where there is one
// (spec "The canonical encoder", step 1; Vaswani et al. 2017, §3.4 and §3.5).
#pragma once

#include "encoder/batch.h"
#include "encoder/scratch.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// out [n, d]
void embed(const Description& model, const EmbeddingWeights& weights, const Batch& batch,
           Scratch& scratch, Matrix out);

}  // namespace headlight
