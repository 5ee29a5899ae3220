// GPT-2 (Radford et al. 2019, "Language Models are Unsupervised Multitask Learners"): a decoder
// with learned positions that classifies by its last token. Its weights are stored as [in, out].
#include <array>
#include <cmath>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 50257},
    .hidden_size = {"n_embd", 768, "hidden_size"},
    .layers = {"n_layer", 12, "num_hidden_layers"},
    .heads = {"n_head", 12, "num_attention_heads"},
    .intermediate_size = {"n_inner", 0},
    .max_positions = {"n_positions", 1024, "max_position_embeddings"},
    .activation = "activation_function",
    .default_activation = "gelu_new",
    .epsilon = "layer_norm_epsilon",
    .default_epsilon = 1e-5F,
    .is_causal = true,
    .positions = nullptr,
    .has_embedding_norm = false,
    .norm_order = NormOrder::pre,
};

constexpr auto kTensors = std::to_array<TensorName>({
    {"embeddings.token.weight", ".wte.weight"},
    {"embeddings.position.weight", ".wpe.weight"},
    {"attention.query", "attn.c_attn", {.part = 0, .parts = 3, .transposed = true}},
    {"attention.key", "attn.c_attn", {.part = 1, .parts = 3, .transposed = true}},
    {"attention.value", "attn.c_attn", {.part = 2, .parts = 3, .transposed = true}},
    {"attention.output", "attn.c_proj", {.transposed = true}},
    {"attention.norm", "ln_1"},
    {"feed_forward.up", "mlp.c_fc", {.transposed = true}},
    {"feed_forward.down", "mlp.c_proj", {.transposed = true}},
    {"feed_forward.norm", "ln_2"},
    {"final_norm", ".ln_f"},
});
constexpr PublishedNames kNames = {
    .prefix = "transformer", .layers = ".h", .classifier = "score", .tensors = kTensors};

void read_scales(Fields& fields, Description& model) {
  const bool is_scaled = fields.flag_or("scale_attn_weights", true);
  const bool by_layer = fields.flag_or("scale_attn_by_inverse_layer_idx", false);
  if (is_scaled && !by_layer) return;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    HeadsDescription& heads = model.layers[i].heads;
    double scale = is_scaled ? 1.0 / std::sqrt(static_cast<double>(heads.sizes.front())) : 1.0;
    if (by_layer) scale /= static_cast<double>(i + 1);
    heads.scale = static_cast<float>(scale);
  }
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  model.classifier_bias = false;
  read_scales(fields, model);
  skip_last_pads(fields, std::nullopt, model);
  return config;
}

constexpr std::array kTypes = {ModelType{"gpt2", "GPT2Tokenizer", "GPT2ForSequenceClassification"}};

}  // namespace

constinit const Family kGpt2Family = {kTypes, &read_config, &read_published_weights<kNames>, true};

}  // namespace headlight
