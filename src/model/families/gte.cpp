// GTE (Zhang et al. 2024, "mGTE"): BERT with rotary positions and gated feed-forwards.
#include <array>
#include <string>

#include "base/fields.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/rotary_encoder.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 250048},
    .max_positions = {"max_position_embeddings", 8192},
    .head_size = "head_dim",
    .has_own_code = false,
    .positions = nullptr,
    .head_dense = Activation::tanh,
};

constexpr auto kTensors = std::to_array<TensorName>({
    {"feed_forward.gate", "mlp.gate_proj", {.bias = ""}},
    {"feed_forward.up", "mlp.up_proj", {.bias = ""}},
});
constexpr auto kHubTensors = std::to_array<TensorName>({
    {"attention.query", "attention.qkv_proj", {.part = 0, .parts = 3}},
    {"attention.key", "attention.qkv_proj", {.part = 1, .parts = 3}},
    {"attention.value", "attention.qkv_proj", {.part = 2, .parts = 3}},
    {"attention.output", "attention.o_proj"},
    {"attention.norm", "attn_ln"},
    {"feed_forward.gate", "mlp.up_gate_proj", {.part = 1, .parts = 2, .bias = ""}},
    {"feed_forward.up", "mlp.up_gate_proj", {.part = 0, .parts = 2, .bias = ""}},
    {"feed_forward.norm", "mlp_ln"},
});
constexpr RotaryEncoder kNames = {
    .classes = {.prefix = "gte",
                .layers = ".layers",
                .tensors = kTensors,
                .others = kRotaryTensors},
    .hub = {.prefix = "gte", .tensors = kHubTensors, .others = kRotaryTensors},
    .old_prefix = "new",
};

/// Refuses the choices of older configs that the reference's class does not have.
void refuse_choices(Fields& fields) {
  const auto require = [&](const char* name, const char* value) {
    if (fields.find_value(name) != nullptr && fields.required_string(name) != value) {
      fields.fail(name, std::string(value) + ", which this family always has");
    }
  };
  require("position_embedding_type", "rope");
  require("layer_norm_type", "layer_norm");
  if (read_switch(fields, "logn_attention_scale")) {
    fields.fail("logn_attention_scale", "false, as scores do not depend on the length");
  }
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  refuse_choices(fields);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  model.embedding.type_vocab_size = fields.size_or("type_vocab_size", 1, 0);
  make_rotary(fields, {.default_base = 160'000.0}, model);
  for (LayerDescription& layer : model.layers) layer.gated = true;
  return config;
}

constexpr std::array kTypes = {
    ModelType{"gte", "XLMRobertaTokenizer", "GteForSequenceClassification"}};

}  // namespace

constinit const Family kGteFamily = {kTypes, &read_config, &read_rotary_encoder<kNames>, true};

}  // namespace headlight
