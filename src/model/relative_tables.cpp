#include "model/relative_tables.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

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

RelativeLinears relative_linears(const Description& description, const AttentionWeights& weights) {
  if (!description.relative_attention) return {};
  const RelativeAttention& relative = *description.relative_attention;
  RelativeLinears linears;
  if (relative.content_to_position) {
    linears.key = relative.shared ? &weights.key : &*weights.relative_key;
  }
  if (relative.position_to_content) {
    linears.query = relative.shared ? &weights.query : &*weights.relative_query;
  }
  return linears;
}

void make_relative_tables(const Description& description, Weights& weights) {
  if (!weights.relative_attention) return;
  RelativeWeights& own = *weights.relative_attention;
  Buffer normed;
  ConstMatrix embeddings = own.embeddings;
  if (own.norm) {
    const Matrix out = normed.shape(embeddings.rows, embeddings.cols);
    layer_norm(*own.norm, embeddings, out);
    embeddings = out;
  }
  std::vector<RelativeTables> by_layer(weights.layers.size());
  Buffer keys;
  for (const LayerDescription& layer : description.layers) {
    const AttentionWeights& attention = weights.layers[layer.weights].attention;
    RelativeTables& tables = by_layer[layer.weights];
    if (tables.queries.rows > 0 || !tables.keys.empty()) continue;  // of a layer that shares them
    const RelativeLinears linears = relative_linears(description, attention);
    if (linears.key != nullptr) {
      pack_heads(layer.heads, projected(*linears.key, embeddings, keys), tables);
    }
    if (linears.query != nullptr) {
      tables.queries = projected(*linears.query, embeddings, tables.query_memory);
    }
  }
  own.tables = std::make_shared<const std::vector<RelativeTables>>(std::move(by_layer));
}

}  // namespace headlight
