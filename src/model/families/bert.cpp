// BERT (Devlin et al. 2019): the classifier reads the first token after the pooler, a dense layer
// with tanh.
#include <array>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

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

constexpr std::array kTypes = {ModelType{"bert", "BertTokenizer"}};

}  // namespace

constinit const Family kBertFamily = {kTypes, &read_config, &read_published_weights<kNames>, true};

}  // namespace headlight
