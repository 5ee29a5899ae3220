// NomicBERT (Nussbaum et al. 2024, "Nomic Embed"): BERT with rotary positions, gated feed-forwards
// and no biases in its layers.
#include <algorithm>
#include <array>
#include <string>

#include "base/fields.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/rotary_encoder.h"

namespace headlight {
namespace {

// The aliases are the names of configs that are older than the reference's class.
constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 30528},
    .hidden_size = {"hidden_size", 768, "n_embd"},
    .layers = {"num_hidden_layers", 12, "n_layer"},
    .heads = {"num_attention_heads", 12, "n_head"},
    .intermediate_size = {"intermediate_size", 3072, "n_inner"},
    .max_positions = {"max_position_embeddings", 2048},
    .head_size = "head_dim",
    .default_activation = "silu",
    .has_own_code = false,
    .positions = nullptr,
    .token_types = 2,
    .head_dense = Activation::tanh,
};

constexpr auto kHubTensors = std::to_array<TensorName>({
    {"embeddings.norm", ".emb_ln"},
    {"attention.query", "attn.Wqkv", {.part = 0, .parts = 3}},
    {"attention.key", "attn.Wqkv", {.part = 1, .parts = 3}},
    {"attention.value", "attn.Wqkv", {.part = 2, .parts = 3}},
    {"attention.output", "attn.out_proj"},
    {"attention.norm", "norm1"},
    {"feed_forward.gate", "mlp.fc12"},
    {"feed_forward.up", "mlp.fc11"},
    {"feed_forward.down", "mlp.fc2"},
    {"feed_forward.norm", "norm2"},
});
constexpr RotaryEncoder kNames = {
    .classes = {.prefix = "nomic_bert", .layers = ".layers", .others = kRotaryTensors},
    .hub = {.prefix = "nomic_bert",
            .layers = ".encoder.layers",
            .tensors = kHubTensors,
            .others = kRotaryTensors},
    .old_prefix = "bert",
};

/// Refuses the choices of older configs that the reference's class does not have.
void refuse_choices(Fields& fields) {
  for (const char* name :
       {"causal", "prenorm", "parallel_block", "use_rms_norm", "qkv_proj_bias", "mlp_fc1_bias",
        "mlp_fc2_bias", "rotary_emb_interleaved", "scale_attn_by_inverse_layer_idx"}) {
    if (read_switch(fields, name)) {
      fields.fail(name, "false, as this family has no such layers");
    }
  }
  if (fields.find_value("scale_attn_weights") != nullptr &&
      !fields.flag_or("scale_attn_weights", true)) {
    fields.fail("scale_attn_weights", "true, as scores are scaled");
  }
  const char* const activation = "activation_function";
  if (fields.find_value(activation) != nullptr && fields.required_string(activation) != "swiglu") {
    fields.fail(activation, "swiglu; hidden_act names another function of the gate");
  }
  if (fields.find_value("rotary_emb_fraction") != nullptr &&
      fields.number_or("rotary_emb_fraction", 1.0) != 1.0) {
    fields.fail("rotary_emb_fraction", "1, as whole heads are turned");
  }
  for (const char* name : {"moe_every_n_layers", "rotary_emb_scale_base"}) {
    if (fields.find_value(name) != nullptr && fields.number_or(name, 0.0) != 0.0) {
      fields.fail(name, "0 or null, as this family has no experts and no decaying positions");
    }
  }
}

void read_old_epsilon(Fields& fields, Description& model) {
  const char* const name = "layer_norm_epsilon";
  if (fields.find_value(name) == nullptr || fields.find_value("layer_norm_eps") != nullptr) return;
  model.layer_norm_eps = *read_float(fields, name);
  if (model.layer_norm_eps < 0.0F) fields.fail(name, "a number of at least 0");
}

/// Older configs have n_positions, and if the reference saved them again, its own default too: the
/// larger one counts. Rotary positions have no table that limits them.
void read_old_positions(Fields& fields, Description& model) {
  if (fields.find_value("n_positions") == nullptr) return;
  const std::size_t old = fields.required_size("n_positions", 1);
  const bool is_only = fields.find_value(kFields.max_positions.name) == nullptr;
  model.max_positions = is_only ? old : std::max(model.max_positions, old);
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  refuse_choices(fields);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  read_old_epsilon(fields, model);
  read_old_positions(fields, model);
  const bool is_old = fields.find_value("rope_theta") == nullptr;
  make_rotary(fields, {.base = is_old ? "rotary_emb_base" : "rope_theta", .default_base = 1000.0},
              model);
  for (LayerDescription& layer : model.layers) {
    layer.gated = true;
    layer.feed_forward_bias = false;
    layer.heads.bias = false;
    layer.heads.output_bias = false;
  }
  return config;
}

constexpr std::array kTypes = {
    ModelType{"nomic_bert", "BertTokenizer", "NomicBertForSequenceClassification"}};

}  // namespace

constinit const Family kNomicBertFamily = {kTypes, &read_config, &read_rotary_encoder<kNames>,
                                           true};

}  // namespace headlight
