// Token ids to vectors: E[id] · scale + P(position) + S[type], then LayerNorm where there is one,
// then a projection to the hidden size where the tables are of another width (Vaswani et al. 2017,
// §3.4 and §3.5; Lan et al. 2020, "ALBERT", §3.1).
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
