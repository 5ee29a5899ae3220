// XLM-RoBERTa-XL (Goyal et al. 2021): XLM-RoBERTa with the norms before attention and feed-forward,
// one after the last layer, and none after the embedding.
#include <array>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 250880},
    .hidden_size = {"hidden_size", 2560},
    .layers = {"num_hidden_layers", 36},
    .heads = {"num_attention_heads", 32},
    .intermediate_size = {"intermediate_size", 10240},
    .max_positions = {"max_position_embeddings", 514},
    .default_epsilon = 1e-5F,
};

constexpr TensorNames kNames = {
    .prefix = "roberta.",
    .projection = nullptr,
    .layer = {"attention.self.query", "attention.self.key", "attention.self.value",
              "attention.output.dense", "attention.self_attn_layer_norm", "intermediate.dense",
              "output.dense", "LayerNorm"},
    .relative_bias = nullptr,
    .head_dense = "classifier.dense",
    .classifier = "classifier.out_proj",
    .final_norm = "roberta.encoder.LayerNorm",
};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  read_token_types(fields, model, 1);
  skip_pads(fields, fields.size_or("pad_token_id", 1, 0, model.vocab_size - 1), model);
  make_pre_norm(model);
  model.embedding.layer_norm = false;
  model.head_dense = Activation::tanh;
  config.layer_names = numbered_layers("roberta.encoder.layer", model.layers.size());
  return config;
}

constexpr std::array kTypes = {ModelType{"xlm-roberta-xl", "XLMRobertaTokenizer"}};

}  // namespace

constinit const Family kXlmRobertaXlFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                              true};

}  // namespace headlight
