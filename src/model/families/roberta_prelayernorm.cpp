// RoBERTa-PreLayerNorm: RoBERTa with the norms before attention and feed-forward, and one after the
// last layer (fairseq's --encoder-normalize-before).
#include <array>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr TensorNames kNames = {
    .prefix = "roberta_prelayernorm.",
    .projection = nullptr,
    .layer = {"attention.self.query", "attention.self.key", "attention.self.value",
              "attention.output.dense", "attention.LayerNorm", "intermediate.dense", "output.dense",
              "intermediate.LayerNorm"},
    .relative_bias = nullptr,
    .head_dense = "classifier.dense",
    .classifier = "classifier.out_proj",
    .final_norm = "roberta_prelayernorm.LayerNorm",
};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, {.vocab_size = {"vocab_size", 50265}});
  Description& model = config.description;
  read_token_types(fields, model);
  skip_pads(fields, fields.size_or("pad_token_id", 1, 0, model.vocab_size - 1), model);
  make_pre_norm(model);
  model.head_dense = Activation::tanh;
  config.layer_names = numbered_layers("roberta_prelayernorm.encoder.layer", model.layers.size());
  return config;
}

constexpr std::array kTypes = {ModelType{"roberta-prelayernorm", "RobertaTokenizer"}};

}  // namespace

constinit const Family kRobertaPreLayerNormFamily = {kTypes, &read_config,
                                                     &read_published_weights<kNames>, true};

}  // namespace headlight
