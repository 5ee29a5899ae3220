#include "model/families/published_weights.h"

#include <string>

namespace headlight {
namespace {

/// Requests tensors from a source by their names in a model with a head.
class PublishedReader {
 public:
  PublishedReader(std::string_view prefix, const Description& model, TensorSource& source)
      : prefix_(prefix), model_(model), source_(source) {
    const std::string words = "embeddings.word_embeddings.weight";
    bare_ = !source.has(std::string(prefix) + words) && source.has(words);
  }

  /// The name in this file. A file of only the encoder has names without the prefix.
  std::string in_file(const std::string& name) const {
    return bare_ && name.starts_with(prefix_) ? name.substr(prefix_.size()) : name;
  }

  bool has(const std::string& name) const { return source_.has(in_file(name) + ".weight"); }

  Linear linear(const std::string& name, std::size_t out, std::size_t in) {
    const std::string own = in_file(name);
    return {source_.weight(own + ".weight", out, in), source_.floats(own + ".bias", {out})};
  }

  /// In old files, weight and bias are called gamma and beta.
  LayerNorm norm(const std::string& name, std::size_t size) {
    const std::string own = in_file(name);
    const bool old = !source_.has(own + ".weight") && source_.has(own + ".gamma");
    return {source_.floats(own + (old ? ".gamma" : ".weight"), {size}),
            source_.floats(own + (old ? ".beta" : ".bias"), {size}), model_.layer_norm_eps,
            model_.layer_norm_form};
  }

  EmbeddingWeights embeddings(const TensorNames& names, std::size_t task_types) {
    const EmbeddingDescription& embedding = model_.embedding;
    const std::string name = std::string(prefix_) + "embeddings.";
    EmbeddingWeights weights;
    weights.token = table(name + "word_embeddings", model_.vocab_size);
    if (embedding.positions == PositionKind::absolute) {
      weights.position =
          table(name + "position_embeddings", model_.max_positions + embedding.first_position());
    }
    if (embedding.type_vocab_size > 0) {
      weights.token_type = table(name + "token_type_embeddings", embedding.type_vocab_size);
    }
    if (task_types > 0) {
      weights.token_type =
          source_.with_added_row(weights.token_type, table(names.task_types, task_types), 0);
    }
    if (embedding.layer_norm) weights.norm = norm(name + "LayerNorm", embedding.size);
    if (embedding.projection) {
      weights.projection =
          linear(std::string(prefix_) + names.projection, model_.hidden_size, embedding.size);
    }
    return weights;
  }

  LayerWeights layer(const std::string& layer_name, const LayerNames& names,
                     const LayerDescription& description) {
    const std::string name = layer_name + ".";
    const std::size_t d = model_.hidden_size;
    const std::size_t f = description.intermediate_size;
    LayerWeights weights;
    weights.attention.query = linear(name + names.query, d, d);
    weights.attention.key = linear(name + names.key, d, d);
    weights.attention.value = linear(name + names.value, d, d);
    weights.attention.output = linear(name + names.output, d, d);
    weights.attention.norm = norm(name + names.attention_norm, d);
    FeedForwardWeights& feed_forward = weights.feed_forward.emplace();
    feed_forward.up = linear(name + names.up, f, d);
    feed_forward.down = linear(name + names.down, d, f);
    feed_forward.norm = norm(name + names.feed_forward_norm, d);
    return weights;
  }

 private:
  Table table(const std::string& name, std::size_t rows) {
    return source_.table(in_file(name) + ".weight", rows, model_.embedding.size);
  }

  std::string_view prefix_;
  const Description& model_;
  TensorSource& source_;
  bool bare_ = false;
};

}  // namespace

Weights read_published_weights(const TensorNames& names, FamilyConfig& config,
                               TensorSource& source) {
  Description& model = config.description;
  PublishedReader reader(names.prefix, model, source);
  const std::string classifier = classifier_name(config, names.classifier);
  const bool has_head =
      settle_head(classifier + ".weight", config, source, reader.has(names.head_dense));
  Weights weights;
  weights.embeddings = reader.embeddings(names, config.task_types);
  for (std::string& name : config.layer_names) {
    name = reader.in_file(name);
    weights.layers.push_back(reader.layer(name, names.layer, model.layers.front()));
  }
  if (names.relative_bias != nullptr) {
    weights.relative_bias = source.matrix(reader.in_file(names.relative_bias),
                                          model.relative_buckets, model.label_heads.sizes.size());
  }
  if (model.final_norm) weights.final_norm = reader.norm(names.final_norm, model.hidden_size);
  if (has_head) {
    const std::size_t d = model.hidden_size;
    if (model.head_dense) weights.head_dense = reader.linear(names.head_dense, d, d);
    weights.classifier = reader.linear(classifier, model.classes(), d);
  }
  return weights;
}

}  // namespace headlight
