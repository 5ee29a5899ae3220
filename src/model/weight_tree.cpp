#include "model/weight_tree.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <vector>

namespace headlight {
namespace {

class Walk {
 public:
  /// `makes`: members that the description wants are added to the tree.
  Walk(const Description& model, WeightVisitor& visitor, bool makes)
      : model_(model), visitor_(visitor), makes_(makes) {}

  void weights(Weights& weights) {
    embeddings(weights.embeddings);
    decoder(weights);
    layers(weights.layers);
    relative_biases(weights.relative_biases);
    relative_attention(weights.relative_attention);
    convolution(weights.convolution);
    norm("final_norm", weights.final_norm, model_.final_norm, model_.hidden_size);
    head(weights);
    label_reading(weights.label_reading);
  }

 private:
  template <typename T>
  bool has(std::optional<T>& member, bool wanted) const {
    if (makes_ && wanted) member.emplace();
    return member.has_value();
  }

  void table(const std::string& name, Table& table, std::size_t wanted, std::size_t cols) {
    if (makes_ ? wanted > 0 : table.rows > 0) visitor_.table(name, table, wanted, cols);
  }
  void matrix(const std::string& name, ConstMatrix& matrix, bool wanted, std::size_t rows,
              std::size_t cols) {
    if (makes_ ? wanted : matrix.rows > 0) visitor_.matrix(name, matrix, rows, cols);
  }
  void linear(const std::string& name, std::optional<Linear>& linear, bool wanted,
              const LinearShape& shape) {
    if (has(linear, wanted)) visitor_.linear(name, *linear, shape);
  }
  void norm(const std::string& name, std::optional<LayerNorm>& norm, bool wanted,
            std::size_t size) {
    if (has(norm, wanted)) visitor_.norm(name, *norm, size, model_.norm_bias);
  }

  void embeddings(EmbeddingWeights& weights) {
    const EmbeddingDescription& embedding = model_.embedding;
    const std::size_t d = model_.hidden_size;
    const std::size_t e = embedding.size;
    const bool is_absolute = embedding.positions == PositionKind::absolute;
    table("embeddings.token.weight", weights.token, model_.vocab_size, e);
    table("embeddings.position.weight", weights.position,
          is_absolute ? model_.max_positions + embedding.first_position() : 0, e);
    table("embeddings.token_type.weight", weights.token_type, embedding.type_vocab_size, e);
    table("embeddings.ngrams.weight", weights.ngrams, model_.ngrams ? model_.ngrams->buckets : 0,
          d);
    norm("embeddings.norm", weights.norm, embedding.layer_norm, embedding.norm_size(d));
    linear("embeddings.projection", weights.projection, embedding.projection,
           {d, embedding.size, !embedding.projection_first, LinearUse::encoder});
  }

  void decoder(Weights& weights) {
    if (!has(weights.decoder_embeddings, model_.decoder.has_value())) return;
    const EmbeddingDescription& embedding = model_.embedding;
    const bool is_absolute = embedding.positions == PositionKind::absolute;
    table("decoder.embeddings.position.weight", weights.decoder_embeddings->position,
          is_absolute ? model_.max_positions + embedding.first_position() : 0, embedding.size);
    norm("decoder.embeddings.norm", weights.decoder_embeddings->norm, embedding.layer_norm,
         embedding.size);
    norm("encoder_norm", weights.encoder_norm, model_.decoder->encoder_norm, model_.hidden_size);
  }

  void relative_biases(std::vector<ConstMatrix>& weights) {
    if (makes_) weights.resize(model_.relative_biases.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const std::string number = i == 0 ? "" : std::to_string(i) + ".";
      matrix("relative_bias." + number + "weight", weights[i], /*wanted=*/true,
             model_.relative_biases[i].rows, model_.label_heads.sizes.size());
    }
  }

  void layers(std::vector<LayerWeights>& weights) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto user = std::ranges::find(model_.layers, i, &LayerDescription::weights);
      const bool is_used = user != model_.layers.end();
      layer("layers." + std::to_string(i), is_used ? *user : model_.layers.front(), weights[i]);
    }
  }

  void layer(const std::string& name, const LayerDescription& layer, LayerWeights& weights) {
    const std::size_t d = model_.hidden_size;
    const std::size_t f = layer.intermediate_size;
    const bool is_normed = layer.norm_order != NormOrder::none;
    const bool is_sandwich = layer.norm_order == NormOrder::sandwich;
    const std::string heads = name + (layer.crosses ? ".cross_attention" : ".attention");
    attention(heads, layer.heads, LinearUse::encoder, weights.attention);
    relative_projections(heads, layer.heads, weights.attention);
    norm(heads + ".norm", weights.attention.norm, is_normed && layer.attention_norm, d);
    norm(heads + ".output_norm", weights.attention.output_norm, is_sandwich, d);
    if (!has(weights.feed_forward, f > 0)) return;
    FeedForwardWeights& feed_forward = *weights.feed_forward;
    const LinearShape up = {f, d, layer.feed_forward_bias, LinearUse::encoder};
    const LinearShape down = {d, f, layer.feed_forward_bias, LinearUse::encoder};
    linear(name + ".feed_forward.gate", feed_forward.gate, layer.gated, up);
    visitor_.linear(name + ".feed_forward.up", feed_forward.up, up);
    visitor_.linear(name + ".feed_forward.down", feed_forward.down, down);
    norm(name + ".feed_forward.norm", feed_forward.norm, is_normed, d);
    norm(name + ".feed_forward.output_norm", feed_forward.output_norm, is_sandwich, d);
  }

  /// `use` is that of the projections that read complete vectors.
  void attention(const std::string& name, const HeadsDescription& heads, LinearUse use,
                 AttentionWeights& weights) {
    const std::size_t d = model_.hidden_size;
    const bool is_sliced = heads.input == HeadInput::slice;
    const std::size_t in = is_sliced ? heads.sizes.front() : d;
    const LinearUse of_input = is_sliced ? LinearUse::sliced : use;
    visitor_.linear(name + ".query", weights.query, {heads.width(), in, heads.bias, of_input});
    visitor_.linear(name + ".key", weights.key, {heads.key_width(), in, heads.bias, of_input});
    visitor_.linear(name + ".value", weights.value, {heads.key_width(), in, heads.bias, of_input});
    head_norm(name + ".query_norm", weights.query_norm, heads);
    head_norm(name + ".key_norm", weights.key_norm, heads);
    linear(name + ".output", weights.output, heads.output_projection,
           {d, heads.width(), heads.output_bias, use});
  }

  void head_norm(const std::string& name, std::optional<LayerNorm>& norm,
                 const HeadsDescription& heads) {
    if (!has(norm, heads.query_key_norm)) return;
    visitor_.norm(name, *norm, heads.sizes.front(), /*has_bias=*/false);
  }

  void relative_projections(const std::string& name, const HeadsDescription& heads,
                            AttentionWeights& weights) {
    const std::size_t d = model_.hidden_size;
    const auto& relative = model_.relative_attention;
    const bool has_own = relative && !relative->shared;
    linear(name + ".relative_key", weights.relative_key, has_own && relative->content_to_position,
           {heads.key_width(), d, heads.bias, LinearUse::relative});
    linear(name + ".relative_query", weights.relative_query,
           has_own && relative->position_to_content,
           {heads.width(), d, heads.bias, LinearUse::relative});
  }

  void relative_attention(std::optional<RelativeWeights>& weights) {
    const auto& relative = model_.relative_attention;
    if (!has(weights, relative.has_value())) return;
    const std::size_t d = model_.hidden_size;
    matrix("relative_attention.embeddings.weight", weights->embeddings, /*wanted=*/true,
           2 * relative->span, d);
    norm("relative_attention.norm", weights->norm, relative->norm, d);
  }

  void convolution(std::optional<ConvolutionWeights>& weights) {
    if (!has(weights, model_.convolution.has_value())) return;
    const auto& [kernel, groups, activation] = *model_.convolution;
    const std::size_t d = model_.hidden_size;
    const LinearUse use = groups == 1 ? LinearUse::encoder : LinearUse::sliced;
    visitor_.linear("convolution", weights->linear,
                    {d, kernel * d / groups, /*bias=*/true, use, kernel});
    visitor_.norm("convolution.norm", weights->norm, d, model_.norm_bias);
  }

  void head(Weights& weights) {
    const std::size_t d = model_.hidden_size;
    const std::size_t c = model_.classes();
    const std::size_t w = model_.classifier_size();
    if (has(weights.label_attention, model_.pooling == Pooling::label_attention)) {
      matrix("label_attention.queries", weights.label_attention->queries, /*wanted=*/true, c, d);
      attention("label_attention", model_.label_heads, LinearUse::head,
                weights.label_attention->attention);
    }
    linear("head.dense", weights.head_dense, model_.head_dense.has_value(),
           {w, d, model_.head_dense_bias, LinearUse::head});
    norm("head.norm", weights.head_norm, model_.head_norm, w);
    linear("classifier", weights.classifier, c > 0,
           {c, w, model_.classifier_bias, LinearUse::head});
    linear("classifier.folds", weights.folds, c > 0 && model_.folds > 1,
           {model_.folds * c, w, model_.classifier_bias, LinearUse::head});
    table("classifier.ngrams.weight", weights.label_ngrams,
          model_.label_ngrams && c > 0 ? model_.label_ngrams->buckets : 0, c);
  }

  void label_reading(std::vector<Linear>& weights) {
    if (!model_.label_reading) return;
    const std::size_t d = model_.hidden_size;
    const std::size_t p = model_.label_reading->projector_size;
    const auto layers = std::to_array<std::tuple<const char*, std::size_t, std::size_t>>(
        {{"text_projector.linear_1", p, d},
         {"text_projector.linear_2", d, p},
         {"classes_projector.linear_1", p, d},
         {"classes_projector.linear_2", d, p},
         {"scorer.mlp.0", 256, 2 * d},
         {"scorer.mlp.2", 128, 256},
         {"scorer.mlp.4", 1, 128}});
    if (makes_) weights.resize(model_.label_reading->mlp ? 7 : 4);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto& [name, out, in] = layers[i];
      visitor_.linear("label_reading." + std::string(name), weights[i],
                      {out, in, /*bias=*/true, LinearUse::head});
    }
  }

  const Description& model_;
  WeightVisitor& visitor_;
  bool makes_;
};

}  // namespace

void visit_weights(const Description& model, WeightVisitor& visitor, Weights& weights) {
  Walk(model, visitor, /*makes=*/false).weights(weights);
}

Weights make_weights(const Description& model, std::size_t layers, WeightVisitor& visitor) {
  Weights weights;
  weights.layers.resize(layers);
  Walk(model, visitor, /*makes=*/true).weights(weights);
  return weights;
}

Description with_own_weights(Description model) {
  for (std::size_t i = 0; i < model.layers.size(); ++i) model.layers[i].weights = i;
  return model;
}

}  // namespace headlight
