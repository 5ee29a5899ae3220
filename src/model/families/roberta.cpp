// RoBERTa (Liu et al. 2019) and, with the same names, XLM-RoBERTa (Conneau et al. 2020) and
// CamemBERT (Martin et al. 2020): BERT with positions that skip pads and with another head.
#include <array>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {.vocab_size = {"vocab_size", 50265},
                                     .token_types = 2,
                                     .skips_pads = true,
                                     .head_dense = Activation::tanh};

constexpr PublishedNames kNames = {
    .prefix = "roberta", .head_dense = "classifier.dense", .classifier = "classifier.out_proj"};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  PublishedFields names = kFields;
  // XLM-RoBERTa and CamemBERT have BERT's default, but all their configs set the field.
  if (fields.required_string("model_type") != "roberta") {
    names.vocab_size = PublishedFields().vocab_size;
  }
  return read_published_config(fields, names);
}

constexpr std::array kTypes = {
    ModelType{"roberta", "RobertaTokenizer", "RobertaForSequenceClassification"},
    ModelType{"xlm-roberta", "XLMRobertaTokenizer", "XLMRobertaForSequenceClassification"},
    ModelType{"xlm_roberta", "XLMRobertaTokenizer", "XLMRobertaForSequenceClassification"},
    ModelType{"camembert", "CamembertTokenizer", "CamembertForSequenceClassification"}};

}  // namespace

constinit const Family kRobertaFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                         true};

}  // namespace headlight
