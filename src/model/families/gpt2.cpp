// GPT-2 (Radford et al. 2019, "Language Models are Unsupervised Multitask Learners"): a decoder
// with learned positions that classifies by its last token. Its weights are stored as [in, out].
#include <array>
#include <cmath>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/tensor_reader.h"

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
};

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
  model.embedding.layer_norm = false;
  model.final_norm = true;
  model.classifier_bias = false;
  for (LayerDescription& layer : model.layers) layer.norm_order = NormOrder::pre;
  read_scales(fields, model);
  skip_last_pads(fields, std::nullopt, model);
  config.layer_names = numbered_layers("transformer.h", model.layers.size());
  return config;
}

LayerWeights read_layer(const std::string& layer_name, const Description& model, std::size_t f,
                        TensorReader& reader) {
  const std::string name = layer_name + ".";
  const std::size_t d = model.hidden_size;
  const Linear all = reader.transposed_linear(name + "attn.c_attn", 3 * d, d);
  LayerWeights weights;
  weights.attention.query = part_of(all, 0, d);
  weights.attention.key = part_of(all, d, d);
  weights.attention.value = part_of(all, 2 * d, d);
  weights.attention.output = reader.transposed_linear(name + "attn.c_proj", d, d);
  weights.attention.norm = reader.norm(name + "ln_1", d);
  FeedForwardWeights& feed_forward = weights.feed_forward.emplace();
  feed_forward.up = reader.transposed_linear(name + "mlp.c_fc", f, d);
  feed_forward.down = reader.transposed_linear(name + "mlp.c_proj", d, f);
  feed_forward.norm = reader.norm(name + "ln_2", d);
  return weights;
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  const Description& model = config.description;
  const std::size_t d = model.hidden_size;
  const std::string tokens = "transformer.wte.weight";
  TensorReader reader("transformer.", tokens, model, source);
  const bool has_head = settle_head(classifier_name(config, "score") + ".weight", config, source);
  Weights weights;
  weights.embeddings.token = reader.table(tokens, model.vocab_size, d);
  weights.embeddings.position = reader.table("transformer.wpe.weight", model.max_positions, d);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    weights.layers.push_back(
        read_layer(config.layer_names[i], model, model.layers[i].intermediate_size, reader));
  }
  name_layers(reader, config);
  weights.final_norm = reader.norm("transformer.ln_f", d);
  if (has_head) {
    weights.classifier = reader.classifier(config);
  }
  return weights;
}

constexpr std::array kTypes = {ModelType{"gpt2", "GPT2Tokenizer"}};

}  // namespace

constinit const Family kGpt2Family = {kTypes, &read_config, &read_weights, true};

}  // namespace headlight
