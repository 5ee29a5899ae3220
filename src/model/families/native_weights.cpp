#include "model/families/native_weights.h"

#include <optional>
#include <string>

#include "model/relative_tables.h"

namespace headlight {
namespace {

/// Requests the tensors of a model from a source by the names in the specification.
class WeightReader {
 public:
  WeightReader(const Description& model, TensorSource& source) : model_(model), source_(source) {}

  Linear linear(const std::string& name, std::size_t out, std::size_t in, bool bias) {
    Linear layer;
    layer.weight = source_.weight(name + ".weight", out, in);
    if (bias) layer.bias = source_.floats(name + ".bias", {out});
    return layer;
  }

  LayerNorm norm(const std::string& name) {
    return norm(name, model_.hidden_size, model_.norm_bias);
  }

  LayerNorm norm(const std::string& name, std::size_t size, bool bias) {
    return {source_.floats(name + ".weight", {size}),
            bias ? source_.floats(name + ".bias", {size}) : std::span<const float>(),
            model_.layer_norm_eps, model_.layer_norm_form};
  }

  std::optional<LayerNorm> norm_if(bool wanted, const std::string& name) {
    return wanted ? std::optional(norm(name)) : std::nullopt;
  }

  EmbeddingWeights embeddings() {
    const std::size_t d = model_.hidden_size;
    const EmbeddingDescription& embedding = model_.embedding;
    const std::size_t e = embedding.size;
    EmbeddingWeights weights;
    weights.token = source_.table("embeddings.token.weight", model_.vocab_size, e);
    if (embedding.positions == PositionKind::absolute) {
      weights.position = source_.table("embeddings.position.weight",
                                       model_.max_positions + embedding.first_position(), e);
    }
    if (embedding.type_vocab_size > 0) {
      weights.token_type =
          source_.table("embeddings.token_type.weight", embedding.type_vocab_size, e);
    }
    if (embedding.layer_norm) {
      weights.norm = norm("embeddings.norm", embedding.norm_size(d), model_.norm_bias);
    }
    if (embedding.projection) {
      weights.projection = linear("embeddings.projection", d, e, !embedding.projection_first);
    }
    return weights;
  }

  AttentionWeights attention(const std::string& name, const HeadsDescription& heads) {
    const std::size_t d = model_.hidden_size;
    const std::size_t in = heads.input == HeadInput::slice ? heads.sizes.front() : d;
    AttentionWeights weights;
    weights.query = linear(name + ".query", heads.width(), in, heads.bias);
    weights.key = linear(name + ".key", heads.key_width(), in, heads.bias);
    weights.value = linear(name + ".value", heads.key_width(), in, heads.bias);
    if (heads.query_key_norm) {
      weights.query_norm = norm(name + ".query_norm", heads.sizes.front(), false);
      weights.key_norm = norm(name + ".key_norm", heads.sizes.front(), false);
    }
    if (heads.output_projection) {
      weights.output = linear(name + ".output", d, heads.width(), heads.output_bias);
    }
    return weights;
  }

  /// The projections of relative embeddings, if the layer has its own.
  void relative_projections(const std::string& name, const HeadsDescription& heads,
                            AttentionWeights& weights) {
    const std::size_t d = model_.hidden_size;
    const auto& relative = model_.relative_attention;
    if (relative && !relative->shared && relative->content_to_position) {
      weights.relative_key = linear(name + ".relative_key", heads.key_width(), d, heads.bias);
    }
    if (relative && !relative->shared && relative->position_to_content) {
      weights.relative_query = linear(name + ".relative_query", heads.width(), d, heads.bias);
    }
  }

  RelativeWeights relative_attention() {
    RelativeWeights weights;
    weights.embeddings = source_.matrix("relative_attention.embeddings.weight",
                                        2 * model_.relative_attention->span, model_.hidden_size);
    weights.norm = norm_if(model_.relative_attention->norm, "relative_attention.norm");
    return weights;
  }

  ConvolutionWeights convolution() {
    const ConvolutionDescription& own = *model_.convolution;
    const std::size_t d = model_.hidden_size;
    ConvolutionWeights weights;
    weights.linear.weight =
        source_.convolution_weight("convolution.weight", d, d / own.groups, own.kernel);
    weights.linear.bias = source_.floats("convolution.bias", {d});
    weights.norm = norm("convolution.norm");
    return weights;
  }

  LayerWeights layer(std::size_t index) {
    const LayerDescription& description = model_.layers[index];
    const std::string name = "layers." + std::to_string(index);
    const std::size_t d = model_.hidden_size;
    const std::size_t f = description.intermediate_size;
    const bool normed = description.norm_order != NormOrder::none;
    const bool sandwich = description.norm_order == NormOrder::sandwich;
    LayerWeights weights;
    weights.attention = attention(name + ".attention", description.heads);
    relative_projections(name + ".attention", description.heads, weights.attention);
    weights.attention.norm =
        norm_if(normed && description.attention_norm, name + ".attention.norm");
    weights.attention.output_norm = norm_if(sandwich, name + ".attention.output_norm");
    if (f > 0) {
      FeedForwardWeights& feed_forward = weights.feed_forward.emplace();
      const bool bias = description.feed_forward_bias;
      if (description.gated) feed_forward.gate = linear(name + ".feed_forward.gate", f, d, bias);
      feed_forward.up = linear(name + ".feed_forward.up", f, d, bias);
      feed_forward.down = linear(name + ".feed_forward.down", d, f, bias);
      feed_forward.norm = norm_if(normed, name + ".feed_forward.norm");
      feed_forward.output_norm = norm_if(sandwich, name + ".feed_forward.output_norm");
    }
    return weights;
  }

 private:
  const Description& model_;
  TensorSource& source_;
};

}  // namespace

Weights read_native_weights(FamilyConfig& config, TensorSource& source) {
  const bool has_head = settle_head(config.classifier_tensor, config, source);
  const Description& model = config.description;
  WeightReader reader(model, source);
  const std::size_t d = model.hidden_size;
  Weights weights;
  weights.embeddings = reader.embeddings();
  for (std::size_t i = 0; i < model.layers.size(); ++i) weights.layers.push_back(reader.layer(i));
  if (model.relative_buckets > 0) {
    weights.relative_bias = source.matrix("relative_bias.weight", model.relative_buckets,
                                          model.label_heads.sizes.size());
  }
  if (model.relative_attention) weights.relative_attention = reader.relative_attention();
  if (model.convolution) weights.convolution = reader.convolution();
  weights.final_norm = reader.norm_if(model.final_norm, "final_norm");
  if (model.pooling == Pooling::label_attention) {
    LabelAttentionWeights& labels = weights.label_attention.emplace();
    labels.queries = source.matrix("label_attention.queries", model.classes(), d);
    labels.attention = reader.attention("label_attention", model.label_heads);
  }
  if (model.head_dense) {
    weights.head_dense = reader.linear("head.dense", d, d, model.head_dense_bias);
  }
  weights.head_norm = reader.norm_if(model.head_norm, "head.norm");
  if (has_head) {
    weights.classifier =
        reader.linear("classifier", model.classes(), model.encoded_size(), model.classifier_bias);
  }
  make_relative_tables(model, weights);
  return weights;
}

}  // namespace headlight
