// BERT (Devlin et al. 2019): the first token's vector through the pooler, a dense with tanh.
#include "model/families/published.h"
#include "model/families/published_families.h"

namespace headlight {
namespace {

constexpr TensorNames kNames = {"bert.",     nullptr, kBertLayer, nullptr, "bert.pooler.dense",
                                "classifier"};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, {});
  Description& model = config.description;
  read_token_types(fields, model);
  model.head_dense = Activation::tanh;
  config.layer_names = numbered_layers("bert.encoder.layer", model.layers.size());
  return config;
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  return read_published_weights(kNames, config, source);
}

}  // namespace

const Family kBertFamily = {&read_config, &read_weights, true};

}  // namespace headlight
