// RemBERT (Chung et al. 2021, "Rethinking Embedding Coupling"): BERT with a narrow embedding that
// is always projected.
#include <array>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 250300},
    .hidden_size = {"hidden_size", 1152},
    .layers = {"num_hidden_layers", 32},
    .heads = {"num_attention_heads", 18},
    .intermediate_size = {"intermediate_size", 4608},
};

constexpr TensorNames kNames = {
    "rembert.",  "encoder.embedding_hidden_mapping_in", kBertLayer, nullptr, "rembert.pooler.dense",
    "classifier"};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  read_token_types(fields, model);
  model.embedding.size = fields.size_or("input_embedding_size", 256, 1);
  model.embedding.projection = true;
  model.head_dense = Activation::tanh;
  config.layer_names = numbered_layers("rembert.encoder.layer", model.layers.size());
  return config;
}

constexpr std::array kTypes = {ModelType{"rembert", "RemBertTokenizer"}};

}  // namespace

constinit const Family kRemBertFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                         true};

}  // namespace headlight
