// Token ids to vectors: E[id] · scale + P(position) + S[type], then an optional LayerNorm, then
// a projection to the hidden size if the tables have another width (Vaswani et al. 2017,
// §3.4 and §3.5; Lan et al. 2020, "ALBERT", §3.1). DeBERTa has the projection first.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "encoder/pass.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// The input of the first layer, [n, d] in scratch.hidden.
Matrix embed(const Description& model, const EmbeddingWeights& weights, Pass& pass);

/// The position of each token of a text, [n]. `before` tokens came in earlier passes. If padding is
/// skipped, positions depend on the ids.
void positions_of(const EmbeddingDescription& embedding, std::size_t before,
                  std::span<const TokenId> ids, std::vector<std::size_t>& positions);

}  // namespace headlight
