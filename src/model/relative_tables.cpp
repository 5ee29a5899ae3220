#include "model/relative_tables.h"

#include <span>

namespace headlight {
namespace {

/// The projected embeddings [2s, H].
Matrix projected(const Linear& linear, ConstMatrix embeddings, Buffer& memory) {
  const Matrix out = memory.shape(embeddings.rows, linear.out());
  linear.outputs(0, linear.out()).apply(embeddings, out);
  return out;
}

void pack_heads(const HeadsDescription& heads, ConstMatrix keys, RelativeTables& tables) {
  const auto sizes = std::span(heads.sizes).first(heads.key_heads());
  std::size_t floats = 0;
  for (const std::size_t e : sizes) floats += Panels::floats(e, keys.rows);
  float* next = tables.key_memory.shape(1, floats).data;
  std::size_t first = 0;
  for (const std::size_t e : sizes) {
    pack(keys.column_range(first, e), next);
    tables.keys.push_back({next, e, keys.rows});
    next += Panels::floats(e, keys.rows);
    first += e;
  }
}

}  // namespace

void make_relative_tables(const Description& description, Weights& weights) {
  if (!weights.relative_attention) return;
  const RelativeAttention& relative = *description.relative_attention;
  RelativeWeights& own = *weights.relative_attention;
  Buffer normed;
  ConstMatrix embeddings = own.embeddings;
  if (own.norm) {
    const Matrix out = normed.shape(embeddings.rows, embeddings.cols);
    layer_norm(*own.norm, embeddings, out);
    embeddings = out;
  }
  own.tables = std::vector<RelativeTables>(weights.layers.size());
  Buffer keys;
  for (const LayerDescription& layer : description.layers) {
    const AttentionWeights& attention = weights.layers[layer.weights].attention;
    RelativeTables& tables = own.tables[layer.weights];
    if (tables.queries.rows > 0 || !tables.keys.empty()) continue;  // of a layer that shares them
    if (relative.content_to_position) {
      const Linear& key = relative.shared ? attention.key : *attention.relative_key;
      pack_heads(layer.heads, projected(key, embeddings, keys), tables);
    }
    if (relative.position_to_content) {
      const Linear& query = relative.shared ? attention.query : *attention.relative_query;
      tables.queries = projected(query, embeddings, tables.query_memory);
    }
  }
}

}  // namespace headlight
