// ModernBERT (Warner et al. 2024, "Smarter, Better, Faster, Longer") and its decoder (Weller et al.
// 2025, "Seq vs Seq"): pre-norm without biases, gated feed-forwards, rotary positions with two
// bases, and local attention in two of three layers.
#include <algorithm>
#include <array>

#include "base/fields.h"
#include "model/families/attention_fields.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/tensor_reader.h"

namespace headlight {
namespace {

constexpr TokenId kPad = 50283;

constexpr PublishedFields kEncoderFields = {
    .vocab_size = {"vocab_size", 50368},
    .layers = {"num_hidden_layers", 22},
    .intermediate_size = {"intermediate_size", 1152},
    .max_positions = {"max_position_embeddings", 8192},
    .activation = "hidden_activation",
    .epsilon = "norm_eps",
    .default_epsilon = 1e-5F,
    .positions = nullptr,
};

constexpr PublishedFields decoder_fields() {
  PublishedFields fields = kEncoderFields;
  fields.is_causal = true;
  return fields;
}

constexpr RotaryFields kGlobal = {
    .base = "global_rope_theta", .default_base = 160'000.0, .layers = "full_attention"};
constexpr RotaryFields kLocal = {
    .base = "local_rope_theta", .default_base = 10'000.0, .layers = "sliding_attention"};

/// The number of positions that a local query sees on one side, without its own. The encoder sees
/// local_attention / 2 of them; the decoder counts its own position too.
std::size_t read_window(Fields& fields, bool is_causal) {
  const bool is_direct = fields.find_value("sliding_window") != nullptr;
  const char* const name = is_direct ? "sliding_window" : "local_attention";
  const std::size_t given = fields.size_or(name, 128, 0);
  const std::size_t side = is_direct ? given : given / 2;
  if (!is_causal) return side;
  if (side == 0) fields.fail(name, "a window of at least one position");
  return side - 1;
}

std::vector<bool> read_local(Fields& fields, std::size_t layers) {
  if (auto are_local = read_local_layers(fields, layers)) return *are_local;
  const std::size_t every = fields.size_or("global_attn_every_n_layers", 3, 1);
  std::vector<bool> are_local;
  for (std::size_t i = 0; i < layers; ++i) are_local.push_back(i % every != 0);
  return are_local;
}

void read_layers(Fields& fields, bool is_causal, Description& model) {
  const std::vector<bool> are_local = read_local(fields, model.layers.size());
  const bool has_local = std::find(are_local.begin(), are_local.end(), true) != are_local.end();
  const std::size_t window = has_local ? read_window(fields, is_causal) : 0;
  const bool attention_bias = fields.flag_or("attention_bias", false);
  const bool feed_forward_bias = fields.flag_or("mlp_bias", false);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    LayerDescription& layer = model.layers[i];
    layer.norm_order = NormOrder::pre;
    layer.attention_norm = i > 0;
    layer.gated = true;
    layer.feed_forward_bias = feed_forward_bias;
    layer.heads.bias = attention_bias;
    layer.heads.output_bias = attention_bias;
    if (are_local[i]) layer.heads.window = window;
    layer.heads.rotary = share_rotary(
        read_rotary(fields, are_local[i] ? kLocal : kGlobal, layer.heads.sizes.front()), model);
  }
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  const bool is_causal = fields.required_string("model_type") != "modernbert";
  FamilyConfig config =
      read_published_config(fields, is_causal ? decoder_fields() : kEncoderFields);
  Description& model = config.description;
  model.embedding.positions = PositionKind::rotary;
  model.norm_bias = fields.flag_or("norm_bias", false);
  model.final_norm = true;
  read_layers(fields, is_causal, model);
  model.head_dense = fields.find("classifier_activation") == nullptr
                         ? Activation::gelu
                         : read_activation(fields, "classifier_activation");
  model.head_dense_bias = fields.flag_or("classifier_bias", false);
  model.head_norm = true;
  config.token_head.dense = true;
  if (is_causal) {
    skip_last_pads(fields, kPad, model);
    model.classifier_bias = model.head_dense_bias;
  } else {
    model.pooling = fields.choice_or("classifier_pooling", Pooling::cls,
                                     {{"cls", Pooling::cls}, {"mean", Pooling::mean}});
  }
  config.layer_names = numbered_layers("model.layers", model.layers.size());
  return config;
}

AttentionWeights read_attention(const std::string& name, const Description& model,
                                const HeadsDescription& heads, TensorReader& reader) {
  const std::size_t d = model.hidden_size;
  AttentionWeights weights;
  if (heads.mask == AttentionMask::causal) {
    weights.query = reader.linear(name + "q_proj", d, d, heads.bias);
    weights.key = reader.linear(name + "k_proj", d, d, heads.bias);
    weights.value = reader.linear(name + "v_proj", d, d, heads.bias);
  } else {
    const Linear all = reader.linear(name + "Wqkv", 3 * d, d, heads.bias);
    weights.query = part_of(all, 0, d);
    weights.key = part_of(all, d, d);
    weights.value = part_of(all, 2 * d, d);
  }
  weights.output = reader.linear(name + "Wo", d, d, heads.output_bias);
  return weights;
}

LayerWeights read_layer(const std::string& layer_name, const Description& model,
                        const LayerDescription& layer, TensorReader& reader) {
  const std::string name = layer_name + ".";
  const std::size_t d = model.hidden_size;
  const std::size_t f = layer.intermediate_size;
  LayerWeights weights;
  weights.attention = read_attention(name + "attn.", model, layer.heads, reader);
  if (layer.attention_norm) {
    weights.attention.norm = reader.norm(name + "attn_norm", d);
  } else {
    reader.skip(name + "attn_norm.weight", d);
    reader.skip(name + "attn_norm.bias", d);
  }
  FeedForwardWeights& feed_forward = weights.feed_forward.emplace();
  const Linear both = reader.linear(name + "mlp.Wi", 2 * f, d, layer.feed_forward_bias);
  feed_forward.gate = part_of(both, 0, f);
  feed_forward.up = part_of(both, f, f);
  feed_forward.down = reader.linear(name + "mlp.Wo", d, f, layer.feed_forward_bias);
  feed_forward.norm = reader.norm(name + "mlp_norm", d);
  return weights;
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  const Description& model = config.description;
  const std::size_t d = model.hidden_size;
  const std::string tokens = "model.embeddings.tok_embeddings.weight";
  TensorReader reader("model.", tokens, model, source);
  const bool has_head =
      settle_head(classifier_name(config, "classifier") + ".weight", config, source);
  Weights weights;
  weights.embeddings.token = reader.table(tokens, model.vocab_size, d);
  weights.embeddings.norm = reader.norm("model.embeddings.norm", d);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    weights.layers.push_back(read_layer(config.layer_names[i], model, model.layers[i], reader));
  }
  name_layers(reader, config);
  weights.final_norm = reader.norm("model.final_norm", d);
  if (has_head) {
    weights.head_dense = reader.linear("head.dense", d, d, model.head_dense_bias);
    weights.head_norm = reader.norm("head.norm", d);
    weights.classifier = reader.classifier(config);
  }
  return weights;
}

constexpr std::array kTypes = {ModelType{"modernbert", "TokenizersBackend"},
                               ModelType{"modernbert-decoder", "TokenizersBackend"}};

}  // namespace

constinit const Family kModernBertFamily = {kTypes, &read_config, &read_weights, true};

}  // namespace headlight
