// Data2VecText (Baevski et al. 2022): RoBERTa with other names.
#include <array>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr TensorNames kNames = {
    "data2vec_text.", nullptr, kBertLayer, nullptr, "classifier.dense", "classifier.out_proj"};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, {});
  Description& model = config.description;
  read_token_types(fields, model);
  skip_pads(fields, fields.size_or("pad_token_id", 1, 0, model.vocab_size - 1), model);
  model.head_dense = Activation::tanh;
  config.layer_names = numbered_layers("data2vec_text.encoder.layer", model.layers.size());
  return config;
}

constexpr std::array kTypes = {ModelType{"data2vec-text", "RobertaTokenizer"}};

}  // namespace

constinit const Family kData2VecTextFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                              true};

}  // namespace headlight
