#include "model/families/rotary_encoder.h"

#include <string>

#include "base/error.h"
#include "base/utf8.h"
#include "model/families/tensor_reader.h"

namespace headlight {
namespace {

constexpr const char* kWords = "embeddings.word_embeddings.weight";

/// The prefix of the names in this file.
std::string find_prefix(const RotaryEncoder& names, const TensorSource& source) {
  const std::string own(names.prefix);
  const std::string old(names.old_prefix);
  return !source.has(own + kWords) && source.has(old + kWords) ? old : own;
}

/// Requests tensors by the names of one family in one file.
class RotaryReader {
 public:
  RotaryReader(const RotaryEncoder& names, const Description& model, TensorSource& source)
      : names_(names),
        model_(model),
        prefix_(find_prefix(names, source)),
        reader_(prefix_, prefix_ + kWords, model, source) {
    const auto has = [&](const RotaryLayout& layout) {
      return reader_.has(prefix_ + layout.embedding_norm + ".weight") &&
             (model.layers.empty() ||
              reader_.has(layer_name(layout, 0) + layout.attention_norm + ".weight"));
    };
    layout_ = !has(names.classes) && has(names.hub) ? &names.hub : &names.classes;
    refuse_adapters(source);
  }

  EmbeddingWeights embeddings() {
    const std::size_t d = model_.hidden_size;
    EmbeddingWeights weights;
    weights.token = reader_.table(prefix_ + kWords, model_.vocab_size, d);
    if (const std::size_t types = model_.embedding.type_vocab_size; types > 0) {
      weights.token_type =
          reader_.table(prefix_ + "embeddings.token_type_embeddings.weight", types, d);
    }
    weights.norm = reader_.norm(prefix_ + layout_->embedding_norm, d);
    return weights;
  }

  LayerWeights layer(std::size_t index) {
    const std::string name = layer_name(*layout_, index);
    const LayerDescription& layer = model_.layers[index];
    const std::size_t d = model_.hidden_size;
    LayerWeights weights;
    weights.attention = attention(name, layer.heads);
    weights.attention.norm = reader_.norm(name + layout_->attention_norm, d);
    weights.feed_forward = feed_forward(name, layer);
    weights.feed_forward->norm = reader_.norm(name + layout_->feed_forward_norm, d);
    return weights;
  }

  Linear head_dense() {
    const std::size_t d = model_.hidden_size;
    return reader_.linear(names_.has_pooler ? prefix_ + "pooler.dense" : "classifier.dense", d, d,
                          true);
  }
  Linear classifier(const std::string& name) {
    return reader_.linear(name, model_.classes(), model_.hidden_size, true);
  }

  /// The name in this file of a layer, for the list of the config.
  std::string name_of_layer(std::size_t index) const {
    std::string name = reader_.in_file(layer_name(*layout_, index));
    name.pop_back();
    return name;
  }

 private:
  /// "gte.layers.3."
  std::string layer_name(const RotaryLayout& layout, std::size_t index) const {
    return prefix_ + layout.layers + std::to_string(index) + ".";
  }

  /// Torch saves a weight with adapters under another name; the reference does not read it.
  void refuse_adapters(const TensorSource& source) const {
    if (model_.layers.empty() || layout_->fused == nullptr) return;
    const std::string name = reader_.in_file(layer_name(*layout_, 0) + layout_->fused) +
                             ".parametrizations.weight.original";
    if (!source.has(name)) return;
    throw Error(source.where(),
                "tensor " + name + ": has adapters of tasks, which are not supported",
                "use the checkpoint that is converted for transformers, without adapters");
  }

  AttentionWeights attention(const std::string& name, const HeadsDescription& heads) {
    const std::size_t d = model_.hidden_size;
    const std::size_t width = heads.width();
    AttentionWeights weights;
    if (layout_->fused != nullptr) {
      const Linear fused = reader_.linear(name + layout_->fused, 3 * width, d, heads.bias);
      weights.query = part_of(fused, 0, width);
      weights.key = part_of(fused, width, width);
      weights.value = part_of(fused, 2 * width, width);
    } else {
      const std::string own = name + layout_->attention;
      weights.query = reader_.linear(own + "q_proj", width, d, heads.bias);
      weights.key = reader_.linear(own + "k_proj", width, d, heads.bias);
      weights.value = reader_.linear(own + "v_proj", width, d, heads.bias);
    }
    weights.output = reader_.linear(name + layout_->output, d, width, heads.output_bias);
    return weights;
  }

  FeedForwardWeights feed_forward(const std::string& name, const LayerDescription& layer) {
    const std::size_t d = model_.hidden_size;
    const std::size_t f = layer.intermediate_size;
    FeedForwardWeights weights;
    if (layout_->fused_up != nullptr) {
      const Linear fused = reader_.linear(name + layout_->fused_up, 2 * f, d, names_.up_bias);
      weights.up = part_of(fused, 0, f);
      weights.gate = part_of(fused, f, f);
    } else {
      weights.up = reader_.linear(name + layout_->up, f, d, names_.up_bias);
      if (layer.gated) weights.gate = reader_.linear(name + layout_->gate, f, d, names_.up_bias);
    }
    weights.down = reader_.linear(name + layout_->down, d, f, names_.down_bias);
    return weights;
  }

  const RotaryEncoder& names_;
  const Description& model_;
  std::string prefix_;
  TensorReader reader_;
  const RotaryLayout* layout_ = nullptr;
};

}  // namespace

void make_rotary(Fields& fields, const RotaryFields& names, Description& model) {
  model.embedding.positions = PositionKind::rotary;
  for (LayerDescription& layer : model.layers) {
    layer.heads.rotary = share_rotary(read_rotary(fields, names, layer.heads.sizes.front()), model);
  }
}

Weights read_rotary_encoder(const RotaryEncoder& names, FamilyConfig& config,
                            TensorSource& source) {
  const std::string classifier = classifier_name(config, names.classifier);
  const bool has_head = settle_head(classifier + ".weight", config, source);
  const Description& model = config.description;
  RotaryReader reader(names, model, source);
  Weights weights;
  weights.embeddings = reader.embeddings();
  config.layer_names.clear();
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    config.layer_names.push_back(reader.name_of_layer(i));
    weights.layers.push_back(reader.layer(i));
  }
  if (has_head) {
    if (model.head_dense) weights.head_dense = reader.head_dense();
    weights.classifier = reader.classifier(classifier);
  }
  return weights;
}

}  // namespace headlight
