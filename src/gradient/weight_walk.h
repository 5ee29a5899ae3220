// The tensors of a tree of Weights under their native names.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/weights.h"

namespace headlight {

/// Calls visit(name, view) for each tensor in an order that depends only on the description. A view
/// is a Table&, a ConstMatrix& or a std::span<const float>&, which the visitor may replace.
template <typename Visit>
class WeightWalk {
 public:
  WeightWalk(Weights& weights, const Visit& visit) : visit_(visit) {
    embeddings(weights.embeddings);
    for (std::size_t i = 0; i < weights.layers.size(); ++i) {
      layer("layers." + std::to_string(i), weights.layers[i]);
    }
    matrix("relative_bias.weight", weights.relative_bias);
    if (weights.relative_attention) {
      matrix("relative_attention.embeddings.weight", weights.relative_attention->embeddings);
      norm("relative_attention.norm", weights.relative_attention->norm);
    }
    if (weights.convolution) {
      linear("convolution", weights.convolution->linear);
      norm("convolution.norm", weights.convolution->norm);
    }
    norm("final_norm", weights.final_norm);
    if (weights.label_attention) {
      matrix("label_attention.queries", weights.label_attention->queries);
      attention("label_attention", weights.label_attention->attention);
    }
    linear("head.dense", weights.head_dense);
    norm("head.norm", weights.head_norm);
    linear("classifier", weights.classifier);
  }

 private:
  void table(const std::string& name, Table& table) {
    if (table.rows > 0) visit_(name, table);
  }
  void matrix(const std::string& name, ConstMatrix& matrix) {
    if (matrix.rows > 0) visit_(name, matrix);
  }
  void vector(const std::string& name, std::span<const float>& vector) {
    if (!vector.empty()) visit_(name, vector);
  }
  void linear(const std::string& name, Linear& linear) {
    table(name + ".weight", linear.weight);
    vector(name + ".bias", linear.bias);
  }
  void norm(const std::string& name, LayerNorm& norm) {
    vector(name + ".weight", norm.gain);
    vector(name + ".bias", norm.bias);
  }
  void linear(const std::string& name, std::optional<Linear>& own) {
    if (own) linear(name, *own);
  }
  void norm(const std::string& name, std::optional<LayerNorm>& own) {
    if (own) norm(name, *own);
  }

  void embeddings(EmbeddingWeights& weights) {
    table("embeddings.token.weight", weights.token);
    table("embeddings.position.weight", weights.position);
    table("embeddings.token_type.weight", weights.token_type);
    norm("embeddings.norm", weights.norm);
    linear("embeddings.projection", weights.projection);
  }
  void attention(const std::string& name, AttentionWeights& weights) {
    linear(name + ".query", weights.query);
    linear(name + ".key", weights.key);
    linear(name + ".value", weights.value);
    norm(name + ".query_norm", weights.query_norm);
    norm(name + ".key_norm", weights.key_norm);
    linear(name + ".output", weights.output);
    linear(name + ".relative_key", weights.relative_key);
    linear(name + ".relative_query", weights.relative_query);
    norm(name + ".norm", weights.norm);
    norm(name + ".output_norm", weights.output_norm);
  }
  void layer(const std::string& name, LayerWeights& weights) {
    attention(name + ".attention", weights.attention);
    if (!weights.feed_forward) return;
    linear(name + ".feed_forward.gate", weights.feed_forward->gate);
    linear(name + ".feed_forward.up", weights.feed_forward->up);
    linear(name + ".feed_forward.down", weights.feed_forward->down);
    norm(name + ".feed_forward.norm", weights.feed_forward->norm);
    norm(name + ".feed_forward.output_norm", weights.feed_forward->output_norm);
  }

  const Visit& visit_;
};

}  // namespace headlight
