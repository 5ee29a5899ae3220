#include "model/families/native_tensors.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace headlight {
namespace {

/// Lists the tensors of a model by the names in the specification. The mirror of the reader of
/// native_weights.cpp.
class WeightLister {
 public:
  WeightLister(const Description& model, std::string where)
      : model_(model), where_(std::move(where)) {}

  void table(const std::string& name, const Table& table) {
    tensors_.entries.push_back({name,
                                word_for(table.format, kNumberFormatWords),
                                {table.rows, table.cols},
                                {table.bytes, table.rows * table.row_bytes()}});
  }

  void floats(const std::string& name, Shape shape, std::span<const float> values) {
    tensors_.entries.push_back({name, "F32", std::move(shape), std::as_bytes(values)});
  }

  void matrix(const std::string& name, ConstMatrix values) {
    floats(name, {values.rows, values.cols}, {values.data, values.rows * values.cols});
  }

  /// A bias that the description has and the layer does not is zero: one projection of a
  /// feed-forward may lack it.
  void bias(const std::string& name, std::size_t size, bool wanted, std::span<const float> values) {
    if (!wanted && !values.empty()) {
      throw Error(where_, "cannot be written as a native model: " + name +
                              " has a bias, but others of its kind have none");
    }
    if (!wanted) return;
    if (values.empty()) values = tensors_.copies.emplace_back(size);
    floats(name + ".bias", {size}, values);
  }

  void linear(const std::string& name, const Linear& layer, bool has_bias) {
    table(name + ".weight", layer.weight);
    bias(name, layer.out(), has_bias, layer.bias);
  }
  void linear_if(const std::string& name, const std::optional<Linear>& layer, bool has_bias) {
    if (layer) linear(name, *layer, has_bias);
  }

  void norm(const std::string& name, const std::optional<LayerNorm>& norm) {
    norm_with(name, norm, model_.norm_bias);
  }
  void norm_with(const std::string& name, const std::optional<LayerNorm>& norm, bool has_bias) {
    if (!norm) return;
    if (norm->epsilon != model_.layer_norm_eps || norm->form != model_.layer_norm_form) {
      throw Error(where_, "cannot be written as a native model: " + name +
                              " differs from the other norms in its epsilon or its form");
    }
    floats(name + ".weight", {norm->gain.size()}, norm->gain);
    bias(name, norm->gain.size(), has_bias, norm->bias);
  }

  void embeddings(const EmbeddingWeights& weights) {
    const EmbeddingDescription& embedding = model_.embedding;
    table("embeddings.token.weight", weights.token);
    if (embedding.positions == PositionKind::absolute) {
      const std::size_t rows = model_.max_positions + embedding.first_position();
      table("embeddings.position.weight", weights.position.row_range(0, rows));
    }
    if (embedding.type_vocab_size > 0) table("embeddings.token_type.weight", weights.token_type);
    norm("embeddings.norm", weights.norm);
    linear_if("embeddings.projection", weights.projection, !embedding.projection_first);
  }

  void attention(const std::string& name, const HeadsDescription& heads,
                 const AttentionWeights& weights) {
    linear(name + ".query", weights.query, heads.bias);
    linear(name + ".key", weights.key, heads.bias);
    linear(name + ".value", weights.value, heads.bias);
    norm_with(name + ".query_norm", weights.query_norm, /*has_bias=*/false);
    norm_with(name + ".key_norm", weights.key_norm, /*has_bias=*/false);
    linear_if(name + ".output", weights.output, heads.output_bias);
    linear_if(name + ".relative_key", weights.relative_key, heads.bias);
    linear_if(name + ".relative_query", weights.relative_query, heads.bias);
    norm(name + ".norm", weights.norm);
    norm(name + ".output_norm", weights.output_norm);
  }

  void layer(const std::string& name, const LayerDescription& description,
             const LayerWeights& weights) {
    attention(name + ".attention", description.heads, weights.attention);
    if (!weights.feed_forward) return;
    const FeedForwardWeights& feed_forward = *weights.feed_forward;
    const bool has_bias = description.feed_forward_bias;
    linear_if(name + ".feed_forward.gate", feed_forward.gate, has_bias);
    linear(name + ".feed_forward.up", feed_forward.up, has_bias);
    linear(name + ".feed_forward.down", feed_forward.down, has_bias);
    norm(name + ".feed_forward.norm", feed_forward.norm);
    norm(name + ".feed_forward.output_norm", feed_forward.output_norm);
  }

  /// A file has the weights [out, in, kernel] of a convolution; here a row is kernel · in long.
  void convolution(const ConvolutionWeights& weights) {
    const std::size_t kernel = model_.convolution->kernel;
    const Table& stored = weights.linear.weight;
    const std::size_t in = stored.cols / kernel;
    std::vector<float> row(stored.cols);
    std::vector<float>& values = tensors_.copies.emplace_back(stored.rows * stored.cols);
    for (std::size_t out = 0; out < stored.rows; ++out) {
      stored.read(out, row);
      for (std::size_t i = 0; i < row.size(); ++i) {
        values[out * row.size() + i % in * kernel + i / in] = row[i];
      }
    }
    floats("convolution.weight", {stored.rows, in, kernel}, values);
    floats("convolution.bias", {weights.linear.bias.size()}, weights.linear.bias);
    norm("convolution.norm", weights.norm);
  }

  NativeTensors take() { return std::move(tensors_); }

 private:
  const Description& model_;
  std::string where_;
  NativeTensors tensors_;
};

}  // namespace

NativeTensors native_tensors(const Description& model, const Weights& weights,
                             const std::string& where) {
  WeightLister list(model, where);
  list.embeddings(weights.embeddings);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerDescription& layer = model.layers[i];
    list.layer("layers." + std::to_string(i), layer, weights.layers[layer.weights]);
  }
  if (model.relative_buckets > 0) list.matrix("relative_bias.weight", weights.relative_bias);
  if (weights.relative_attention) {
    list.matrix("relative_attention.embeddings.weight", weights.relative_attention->embeddings);
    list.norm("relative_attention.norm", weights.relative_attention->norm);
  }
  if (weights.convolution) list.convolution(*weights.convolution);
  list.norm("final_norm", weights.final_norm);
  if (weights.label_attention) {
    list.matrix("label_attention.queries", weights.label_attention->queries);
    list.attention("label_attention", model.label_heads, weights.label_attention->attention);
  }
  list.linear_if("head.dense", weights.head_dense, model.head_dense_bias);
  list.norm("head.norm", weights.head_norm);
  list.linear_if("classifier", weights.classifier, model.classifier_bias);
  return list.take();
}

}  // namespace headlight
