#include "model/families/native_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "model/families/native_config.h"
#include "model/weight_tree.h"

namespace headlight {
namespace {

using NativeJson = nlohmann::ordered_json;

/// The shortest decimal with this float32.
NativeJson shortest(float value) {
  std::array<char, 32> text{};
  const char* const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  double number = 0.0;
  std::from_chars(text.data(), end, number);
  return number;
}

/// Collects the fields that differ from their defaults.
class FieldWriter {
 public:
  explicit FieldWriter(const Description& model)
      : model_(model), layer_(model.layers.empty() ? plain_layer(model) : model.layers.front()) {}

  NativeJson write() {
    json_["model_type"] = "headlight";
    write_sizes();
    write_embedding();
    write_attention();
    write_layer();
    write_layer_positions();
    write_relative();
    write_head();
    write_padding();
    return std::move(json_);
  }

 private:
  template <typename Value>
  void put(const std::string& name, const Value& value) {
    json_[name] = value;
  }
  template <typename Value>
  void put_unless(const Value& fallback, const std::string& name, const Value& value) {
    if (value != fallback) put(name, value);
  }

  static LayerDescription plain_layer(const Description& model) {
    LayerDescription layer;
    layer.heads = model.label_heads;
    if (layer.heads.sizes.empty()) layer.heads.sizes = {model.hidden_size};
    layer.intermediate_size = 4 * model.hidden_size;
    return layer;
  }

  void write_sizes() {
    put("vocab_size", model_.vocab_size);
    put("hidden_size", model_.hidden_size);
    put("num_hidden_layers", model_.layers.size());
    const auto& sizes = layer_.heads.sizes;
    put("num_attention_heads", sizes.size());
    const auto is_equal = [&](std::size_t e) { return e * sizes.size() == model_.hidden_size; };
    if (!std::ranges::all_of(sizes, is_equal)) put("head_sizes", sizes);
    put("intermediate_size", layer_.intermediate_size);
    put("max_position_embeddings", model_.max_positions);
    if (model_.reads_windows) put("long", word_for(true, kReadsWindowsWords));
    if (model_.reads_pairs) put("pairs", true);
  }

  void write_embedding() {
    const EmbeddingDescription& embedding = model_.embedding;
    put("position_embedding_type", word_for(embedding.positions, kPositionWords));
    put_unless(model_.hidden_size, "embedding_size", embedding.size);
    const bool own = embedding.size != model_.hidden_size;
    if (embedding.projection != own) put("embedding_projection", embedding.projection);
    put_unless(false, "embedding_projection_first", embedding.projection_first);
    put_unless(std::size_t{0}, "type_vocab_size", embedding.type_vocab_size);
    if (embedding.scale != 1.0F) put("embedding_scale", shortest(embedding.scale));
    put_unless(false, "embedding_layer_norm", embedding.layer_norm);
    put_unless(false, "positions_skip_pad", embedding.skipped_pad.has_value());
  }

  void write_attention() {
    const HeadsDescription& heads = layer_.heads;
    if (heads.input == HeadInput::slice) put("head_input", word_for(heads.input, kHeadInputWords));
    put_unless(heads.sizes.size(), "num_key_value_heads", heads.key_heads());
    put_unless(true, "attention_bias", heads.bias);
    put_unless(heads.bias, "attention_output_bias", heads.output_bias);
    put_unless(true, "attention_output_projection", heads.output_projection);
    if (heads.scale) put("attention_scale", shortest(*heads.scale));
    if (heads.mask == AttentionMask::causal)
      put("attention_mask", word_for(heads.mask, kMaskWords));
    put_unless(false, "query_key_norm", heads.query_key_norm);
  }

  void write_layer() {
    put("hidden_act", activation_name(layer_.activation));
    put_unless(false, "gated_feed_forward", layer_.gated);
    put_unless(true, "feed_forward_bias", layer_.feed_forward_bias);
    put_unless(true, "residual", layer_.residual);
    put("norm_order", word_for(layer_.norm_order, kNormOrderWords));
    const bool before =
        layer_.norm_order == NormOrder::pre || layer_.norm_order == NormOrder::sandwich;
    put_unless(before, "final_norm", model_.final_norm);
    put_unless(true, "first_attention_norm", layer_.attention_norm);
    put("layer_norm_eps", shortest(model_.layer_norm_eps));
    put("layer_norm_form", word_for(model_.layer_norm_form, kLayerNormWords));
    put_unless(true, "norm_bias", model_.norm_bias);
  }

  void write_layer_positions() {
    NativeJson windows = NativeJson::array();
    NativeJson frequencies = NativeJson::array();
    NativeJson kinds = NativeJson::array();
    for (const LayerDescription& layer : model_.layers) {
      windows.push_back(layer.heads.window ? NativeJson(*layer.heads.window) : NativeJson());
      kinds.push_back(layer.heads.rotary ? NativeJson(*layer.heads.rotary) : NativeJson());
    }
    const auto has_window = [](const LayerDescription& layer) {
      return layer.heads.window.has_value();
    };
    if (std::ranges::any_of(model_.layers, has_window)) put("attention_window", windows);
    if (model_.embedding.positions != PositionKind::rotary || model_.rotary.empty()) return;
    for (const Rotary& kind : model_.rotary) {
      NativeJson& angles = frequencies.emplace_back(NativeJson::array());
      for (const float angle : kind.frequencies) angles.push_back(shortest(angle));
    }
    put("rope_frequencies", frequencies);
    put("rope_layers", kinds);
    put_unless(false, "rope_interleaved", model_.rotary.front().interleaved);
  }

  void write_relative() {
    const auto& biases = model_.relative_biases;
    if (!biases.empty()) put("relative_attention_num_buckets", biases.front().rows);
    if (const auto& relative = model_.relative_attention) {
      put("relative_attention", true);
      NativeJson terms = NativeJson::array();
      if (relative->content_to_position) terms.push_back("c2p");
      if (relative->position_to_content) terms.push_back("p2c");
      put("pos_att_type", terms);
      put("max_relative_positions", relative->farthest.value_or(relative->span));
      if (relative->farthest) put("position_buckets", relative->span);
      put_unless(false, "share_att_key", relative->shared);
      if (relative->norm) put("norm_rel_ebd", "layer_norm");
    }
    if (const auto& convolution = model_.convolution) {
      put("conv_kernel_size", convolution->kernel);
      put("conv_groups", convolution->groups);
      put("conv_act", activation_name(convolution->activation));
    }
  }

  void write_ngrams(const std::string& prefix, const std::optional<NgramDescription>& ngrams) {
    if (!ngrams) return;
    put(prefix + "_sizes", ngrams->sizes);
    put(prefix + "_buckets", ngrams->buckets);
    put_unless(std::uint64_t{0}, prefix + "_seed", ngrams->seed);
  }

  void write_head() {
    put("pooling", word_for(model_.pooling, kPoolingWords));
    write_ngrams("ngram", model_.ngrams);
    write_ngrams("label_ngram", model_.label_ngrams);
    put_unless(false, "normalize", model_.normalize);
    put_unless(std::size_t{0}, "head_dense_size", model_.head_dense ? model_.head_dense_size : 0);
    if (model_.head_dense) put("head_dense_act", activation_name(*model_.head_dense));
    put_unless(true, "head_dense_bias", model_.head_dense_bias);
    put_unless(false, "head_norm", model_.head_norm);
    put_unless(false, "head_dense_first", model_.head_dense_first);
    if (model_.labels.empty()) return;  // an encoder alone
    put_unless(true, "classifier_bias", model_.classifier_bias);
    NativeJson labels = NativeJson::object();
    for (std::size_t i = 0; i < model_.labels.size(); ++i) {
      labels[std::to_string(i)] = model_.labels[i];
    }
    put("id2label", labels);
    put("problem_type", word_for(model_.problem_type, kProblemTypeWords));
    if (model_.score_activation) {
      put("output", word_for(*model_.score_activation, kScoreActivationWords));
    }
    put_unless(std::size_t{1}, "folds", model_.folds);
  }

  void write_padding() {
    put("pad_token_id", model_.pad_token_id);
    put_unless(false, "last_skips_pad", model_.last_skips.has_value());
    if (model_.pad_to_length) put("pad_to_length", *model_.pad_to_length);
  }

  const Description& model_;
  LayerDescription layer_;
  NativeJson json_;
};

/// DeBERTa-v2 scales scores by the products that its config lists, even if it does not add them.
void settle_scale(const Description& model, HeadsDescription& heads) {
  const auto& relative = model.relative_attention;
  const std::size_t added =
      relative ? std::size_t{relative->content_to_position} + relative->position_to_content : 0;
  if (heads.scale || heads.score_terms == 1 + added) return;
  const std::size_t products = heads.sizes.front() * heads.score_terms;
  heads.scale = 1.0F / std::sqrt(static_cast<float>(products));
  heads.score_terms = 1 + added;
}

/// What a native config says of `model`: layers have their own weights, and details that do not
/// apply have their defaults.
Description native_form(const Description& shared) {
  Description model = with_own_weights(shared);
  for (LayerDescription& layer : model.layers) settle_scale(model, layer.heads);
  const std::optional<TokenId> pad =
      model.last_skips ? model.last_skips : model.embedding.skipped_pad;
  if (pad && !model.pad_to_length) model.pad_token_id = *pad;
  if (model.pad_token_id >= model.vocab_size) model.pad_token_id = 0;
  return model;
}

/// The same with details that no result depends on as in `read`.
Description comparable(Description model, const Description& read) {
  if (model.pooling != Pooling::label_attention) model.label_heads = read.label_heads;
  if (!model.head_dense) model.head_dense_bias = read.head_dense_bias;
  for (auto* ngrams : {&model.ngrams, &model.label_ngrams}) {
    if (!*ngrams) continue;
    (*ngrams)->special.clear();
    (*ngrams)->first_characters = NgramDescription{}.first_characters;
  }
  for (std::size_t i = 0; i < model.layers.size() && i < read.layers.size(); ++i) {
    LayerDescription& layer = model.layers[i];
    if (layer.norm_order == NormOrder::none) layer.attention_norm = read.layers[i].attention_norm;
    if (!layer.heads.output_projection) layer.heads.output_bias = read.layers[i].heads.output_bias;
  }
  return model;
}

}  // namespace

nlohmann::ordered_json native_config_of(const Description& model, const std::string& where) {
  const Description native = native_form(model);
  NativeJson json = FieldWriter(native).write();
  // Reading is the proof: a field that no native config has would otherwise be lost.
  Description read;
  try {
    read = read_native_config(Json(json), where).description;
  } catch (const Error& error) {
    throw Error(where, "cannot be written as a native model (" + error.line() + ")");
  }
  if (!(comparable(native, read) == read)) {
    throw Error(where,
                "cannot be written as a native model: its layers differ in a way that a "
                "native config cannot describe");
  }
  return json;
}

}  // namespace headlight
