// The relative embeddings of disentangled attention, projected for each layer.
#pragma once

#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// The layers that project the relative embeddings as keys and as queries; nullptr: none.
struct RelativeLinears {
  const Linear* key = nullptr;
  const Linear* query = nullptr;
};
RelativeLinears relative_linears(const Description& description, const AttentionWeights& weights);

/// Fills weights.relative_attention->tables, if the model has relative attention. To be called once
/// all other weights have been read. The tables are computed in float32 from the stored weights, so
/// they do not depend on how the linear layers are prepared.
void make_relative_tables(const Description& description, Weights& weights);

}  // namespace headlight
