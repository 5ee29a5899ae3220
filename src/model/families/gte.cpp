// GTE (Zhang et al. 2024, "mGTE"): BERT with rotary positions and gated feed-forwards.
#include <array>
#include <string>

#include "base/fields.h"
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
};

constexpr RotaryEncoder kNames = {
    .prefix = "gte.",
    .old_prefix = "new.",
    .classes = {"embeddings.LayerNorm", "layers.", nullptr, "self_attn.", "self_attn.o_proj",
                "post_attention_layernorm", nullptr, "mlp.up_proj", "mlp.gate_proj",
                "mlp.down_proj", "post_mlp_layernorm"},
    .hub = {"embeddings.LayerNorm", "encoder.layer.", "attention.qkv_proj", nullptr,
            "attention.o_proj", "attn_ln", "mlp.up_gate_proj", nullptr, nullptr, "mlp.down_proj",
            "mlp_ln"},
    .up_bias = false,
    .down_bias = true,
    .has_pooler = true,
    .classifier = "classifier",
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
  const char* const scaled = "logn_attention_scale";
  if (fields.find_value(scaled) != nullptr && fields.flag_or(scaled, false)) {
    fields.fail(scaled, "false, as scores do not depend on the length");
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
  model.head_dense = Activation::tanh;
  return config;
}

constexpr std::array kTypes = {ModelType{"gte", "XLMRobertaTokenizer"}};

}  // namespace

constinit const Family kGteFamily = {kTypes, &read_config, &read_rotary_encoder<kNames>, true};

}  // namespace headlight
