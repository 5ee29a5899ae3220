// Llama (Touvron et al. 2023) and the decoders after it, Qwen 2 and 3 (Yang et al. 2024, 2025) and
// Gemma 3 (Gemma Team 2025): RMS norms, rotary positions, heads that share keys and gated
// feed-forwards. They classify by the last token.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/fields.h"
#include "model/families/attention_fields.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"
#include "model/families/gated_decoder.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

enum class Kind : std::uint8_t { llama, qwen2, qwen3, gemma3 };

constexpr PublishedFields kGemmaFields = [] {
  PublishedFields fields = kGatedDecoderFields;
  fields.vocab_size.fallback = 262208;
  fields.hidden_size.fallback = 2304;
  fields.layers.fallback = 26;
  fields.heads.fallback = 8;
  fields.intermediate_size.fallback = 9216;
  fields.max_positions.fallback = 131072;
  fields.default_head_size = 256;
  fields.activation = "hidden_activation";
  fields.default_activation = "gelu_pytorch_tanh";
  fields.norm_order = NormOrder::sandwich;
  return fields;
}();

constexpr PublishedNames kNames = {
    .prefix = "model", .layers = ".layers", .classifier = "score", .others = kLlamaTensors};

constexpr auto kGemmaTensors = std::to_array<TensorName>({
    {"attention.output_norm", "post_attention_layernorm"},
    {"feed_forward.norm", "pre_feedforward_layernorm"},
    {"feed_forward.output_norm", "post_feedforward_layernorm"},
});
constexpr PublishedNames kGemmaNames = {.prefix = "model",
                                        .layers = ".layers",
                                        .classifier = "score",
                                        .tensors = kGemmaTensors,
                                        .others = kLlamaTensors,
                                        .adds_one_to_gains = true};

PublishedFields fields_of(Kind kind) {
  if (kind == Kind::gemma3) return kGemmaFields;
  PublishedFields fields = kGatedDecoderFields;
  if (kind == Kind::llama) return fields;
  fields.vocab_size.fallback = 151936;
  fields.intermediate_size.fallback = 22016;
  fields.max_positions.fallback = 32768;
  if (kind == Kind::qwen3) fields.default_head_size = 128;
  return fields;
}

constexpr RotaryFields kGemmaGlobal = {.default_base = 1'000'000.0, .layers = "full_attention"};
constexpr RotaryFields kGemmaLocal = {
    .base = "rope_local_base_freq", .layers = "sliding_attention", .is_scaled = false};

/// The keys for a config without num_key_value_heads; null means that no heads share keys.
std::size_t default_key_heads(Fields& fields, Kind kind, std::size_t heads) {
  if (kind == Kind::llama || fields.find("num_key_value_heads") != nullptr) return heads;
  return kind == Kind::gemma3 ? 4 : 32;
}

/// The layers with local attention.
std::vector<bool> read_local(Fields& fields, Kind kind, std::size_t layers) {
  if (kind == Kind::llama) return std::vector<bool>(layers, false);
  if (auto are_local = read_local_layers(fields, layers)) return *are_local;
  std::vector<bool> are_local;
  if (kind == Kind::gemma3) {
    const std::size_t pattern = fields.size_or("sliding_window_pattern", 6, 1);
    for (std::size_t i = 0; i < layers; ++i) are_local.push_back((i + 1) % pattern != 0);
    return are_local;
  }
  const bool is_used = fields.flag_or("use_sliding_window", false) && has_window(fields);
  const std::size_t first = fields.size_or("max_window_layers", 28, 0);
  for (std::size_t i = 0; i < layers; ++i) are_local.push_back(is_used && i >= first);
  return are_local;
}

/// Sets the window of the layers with local attention.
void read_windows(Fields& fields, Kind kind, const std::vector<bool>& are_local,
                  Description& model) {
  if (std::find(are_local.begin(), are_local.end(), true) == are_local.end()) return;
  if (kind != Kind::gemma3 && !fields.flag_or("use_sliding_window", false)) {
    fields.complain("layer_types", "has sliding_attention, but use_sliding_window is false");
  }
  // A query sees its own position and sliding_window - 1 others. Gemma 3 as an encoder sees
  // sliding_window / 2 positions on each side.
  const std::size_t given = fields.size_or("sliding_window", 4096, 1);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    HeadsDescription& heads = model.layers[i].heads;
    if (!are_local[i]) continue;
    heads.window = heads.mask == AttentionMask::causal ? given - 1 : given / 2;
  }
}

void read_attention(Fields& fields, Kind kind, HeadsDescription& heads) {
  const std::size_t count = heads.sizes.size();
  heads.group = read_group(fields, count, default_key_heads(fields, kind, count));
  heads.bias = kind == Kind::qwen2 || fields.flag_or("attention_bias", false);
  heads.output_bias = kind != Kind::qwen2 && heads.bias;
  heads.query_key_norm = kind == Kind::qwen3 || kind == Kind::gemma3;
  if (kind != Kind::gemma3) return;
  const float scalar = read_float(fields, "query_pre_attn_scalar").value_or(256.0F);
  if (scalar <= 0.0F) fields.fail("query_pre_attn_scalar", "a number above 0");
  heads.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(scalar)));
  if (read_switch(fields, "use_bidirectional_attention")) {
    heads.mask = AttentionMask::bidirectional;
  }
}

void read_layers(Fields& fields, Kind kind, Description& model) {
  LayerDescription layer;
  if (!model.layers.empty()) layer = model.layers.front();
  read_attention(fields, kind, layer.heads);
  layer.gated = true;
  layer.feed_forward_bias = kind == Kind::llama && fields.flag_or("mlp_bias", false);
  const std::vector<bool> are_local = read_local(fields, kind, model.layers.size());
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    layer.weights = i;
    RotaryFields names;
    if (kind == Kind::gemma3) names = are_local[i] ? kGemmaLocal : kGemmaGlobal;
    layer.heads.rotary = share_rotary(read_rotary(fields, names, layer.heads.sizes.front()), model);
    model.layers[i] = layer;
  }
  read_windows(fields, kind, are_local, model);
}

Kind kind_of(const std::string& model_type) {
  if (model_type == "qwen2") return Kind::qwen2;
  if (model_type == "qwen3") return Kind::qwen3;
  return model_type == "llama" ? Kind::llama : Kind::gemma3;
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  const Kind kind = kind_of(fields.required_string("model_type"));
  FamilyConfig config = read_published_config(fields, fields_of(kind));
  Description& model = config.description;
  make_gated_head(fields, config);
  read_layers(fields, kind, model);
  skip_last_pads(fields, std::nullopt, model);
  if (kind == Kind::gemma3) {
    skip_last_pads(fields, TokenId{0}, model);
    model.embedding.scale = static_cast<float>(std::sqrt(static_cast<double>(model.hidden_size)));
  }
  return config;
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  const bool is_gemma = config.description.embedding.scale != 1.0F;  // only Gemma's are scaled
  return read_published_weights(is_gemma ? kGemmaNames : kNames, config, source);
}

constexpr std::array kTypes = {
    ModelType{"llama", "TokenizersBackend", "LlamaForSequenceClassification"},
    ModelType{"qwen2", "Qwen2Tokenizer", "Qwen2ForSequenceClassification"},
    ModelType{"qwen3", "Qwen2Tokenizer", "Qwen3ForSequenceClassification"},
    ModelType{"gemma3_text", "GemmaTokenizer", "Gemma3TextForSequenceClassification"}};

}  // namespace

constinit const Family kLlamaFamily = {kTypes, &read_config, &read_weights, true};

}  // namespace headlight
