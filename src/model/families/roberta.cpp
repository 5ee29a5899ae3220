// RoBERTa (Liu et al. 2019) and, with the same names, XLM-RoBERTa (Conneau et al. 2020) and
// CamemBERT (Martin et al. 2020): BERT with positions that skip pads and with another head.
#include <array>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr TensorNames kNames = {
    "roberta.", nullptr, kBertLayer, nullptr, "classifier.dense", "classifier.out_proj"};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  // XLM-RoBERTa and CamemBERT have BERT's default, but all their configs set the field.
  const bool first = fields.required_string("model_type") == "roberta";
  FamilyConfig config = read_published_config(
      fields, {.vocab_size = {"vocab_size", first ? std::size_t{50265} : std::size_t{30522}}});
  Description& model = config.description;
  read_token_types(fields, model);
  skip_pads(fields, fields.size_or("pad_token_id", 1, 0, model.vocab_size - 1), model);
  model.head_dense = Activation::tanh;
  config.layer_names = numbered_layers("roberta.encoder.layer", model.layers.size());
  return config;
}

constexpr std::array kTypes = {
    ModelType{"roberta", "RobertaTokenizer"}, ModelType{"xlm-roberta", "XLMRobertaTokenizer"},
    ModelType{"xlm_roberta", "XLMRobertaTokenizer"}, ModelType{"camembert", "CamembertTokenizer"}};

}  // namespace

constinit const Family kRobertaFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                         true};

}  // namespace headlight
