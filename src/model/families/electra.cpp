// ELECTRA (Clark et al. 2020): BERT whose embedding may be narrower than its layers. The dense
// layer of the head always has gelu.
#include <array>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .hidden_size = {"hidden_size", 256},
    .heads = {"num_attention_heads", 4},
    .intermediate_size = {"intermediate_size", 1024},
};

constexpr TensorNames kNames = {"electra.", "embeddings_project", kBertLayer,
                                nullptr,    "classifier.dense",   "classifier.out_proj"};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  read_token_types(fields, model);
  read_embedding_size(fields, 128, model);
  model.embedding.projection = model.embedding.size != model.hidden_size;
  model.head_dense = Activation::gelu;
  config.layer_names = numbered_layers("electra.encoder.layer", model.layers.size());
  return config;
}

constexpr std::array kTypes = {ModelType{"electra", "BertTokenizer"}};

}  // namespace

constinit const Family kElectraFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                         true};

}  // namespace headlight
