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
#include "model/families/published_weights.h"

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
    .norm_order = NormOrder::pre,
    .head_dense = Activation::gelu,
};

constexpr PublishedFields decoder_fields() {
  PublishedFields fields = kEncoderFields;
  fields.is_causal = true;
  return fields;
}

constexpr auto kEncoderAttention = std::to_array<TensorName>({
    {"attention.query", "attn.Wqkv", {.part = 0, .parts = 3}},
    {"attention.key", "attn.Wqkv", {.part = 1, .parts = 3}},
    {"attention.value", "attn.Wqkv", {.part = 2, .parts = 3}},
});
constexpr auto kDecoderAttention = std::to_array<TensorName>({
    {"attention.query", "attn.q_proj"},
    {"attention.key", "attn.k_proj"},
    {"attention.value", "attn.v_proj"},
});
constexpr auto kTensors = std::to_array<TensorName>({
    {"embeddings.token.weight", ".embeddings.tok_embeddings.weight"},
    {"embeddings.norm", ".embeddings.norm"},
    {"attention.output", "attn.Wo"},
    {"attention.norm", "attn_norm"},
    {"feed_forward.gate", "mlp.Wi", {.part = 0, .parts = 2}},
    {"feed_forward.up", "mlp.Wi", {.part = 1, .parts = 2}},
    {"feed_forward.down", "mlp.Wo"},
    {"feed_forward.norm", "mlp_norm"},
    {"final_norm", ".final_norm"},
});

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
  read_layers(fields, is_causal, model);
  if (fields.find("classifier_activation") != nullptr) {
    model.head_dense = read_activation(fields, "classifier_activation");
  }
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
  return config;
}

/// Accepts a tensor that the reference does not read.
void accept(const std::string& name, std::size_t size, TensorSource& source) {
  if (source.rows_of(name)) source.floats(name, {size});
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  const Description& model = config.description;
  const bool is_causal =
      !model.layers.empty() && model.layers.front().heads.mask == AttentionMask::causal;
  PublishedNames names = {.prefix = "model", .layers = ".layers", .others = kTensors};
  names.tensors = is_causal ? kDecoderAttention : kEncoderAttention;
  Weights weights = read_published_weights(names, config, source);
  if (model.layers.empty()) return weights;
  accept(config.layer_names.front() + ".attn_norm.weight", model.hidden_size, source);
  accept(config.layer_names.front() + ".attn_norm.bias", model.hidden_size, source);
  return weights;
}

constexpr std::array kTypes = {
    ModelType{"modernbert", "TokenizersBackend", "ModernBertForSequenceClassification"},
    ModelType{"modernbert-decoder", "TokenizersBackend",
              "ModernBertDecoderForSequenceClassification"}};

}  // namespace

constinit const Family kModernBertFamily = {kTypes, &read_config, &read_weights, true};

}  // namespace headlight
