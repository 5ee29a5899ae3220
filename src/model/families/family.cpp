#include "model/families/family.h"

#include <array>

#include "base/error.h"
#include "base/utf8.h"
#include "model/families/config_fields.h"
#include "model/families/native.h"
#include "model/families/published_families.h"

namespace headlight {
namespace {

constexpr std::array<ModelType, 10> kModelTypes = {{
    {"headlight", &kNativeFamily, ""},
    {"bert", &kBertFamily, "BertTokenizer"},
    {"distilbert", &kDistilBertFamily, "BertTokenizer"},
    {"roberta", &kRobertaFamily, "RobertaTokenizer"},
    {"xlm-roberta", &kRobertaFamily, "XLMRobertaTokenizer"},
    {"xlm_roberta", &kRobertaFamily, "XLMRobertaTokenizer"},
    {"camembert", &kRobertaFamily, "CamembertTokenizer"},
    {"electra", &kElectraFamily, "BertTokenizer"},
    {"albert", &kAlbertFamily, "AlbertTokenizer"},
    {"mpnet", &kMpnetFamily, "MPNetTokenizer"},
}};

}  // namespace

const ModelType& find_model_type(const Json& config, const std::string& where) {
  Fields fields(config, where);
  const std::string model_type = fields.required_string("model_type");
  std::string known;
  for (const ModelType& type : kModelTypes) {
    if (model_type == type.name) return type;
    known += (known.empty() ? "" : ", ") + std::string(type.name);
  }
  throw Error(where,
              "model_type: \"" + shortened(model_type) + "\" is not supported, expected " + known);
}

void settle_labels(FamilyConfig& config, const TensorSource& source) {
  const std::string& tensor = config.classifier_tensor;
  const auto rows = source.rows_of(tensor);
  std::vector<std::string>& labels = config.description.labels;
  // A tensor of no columns costs its file nothing, whatever its rows.
  if (labels.empty() && rows.value_or(0) > kMostLabels) {
    throw Error(source.where(), "tensor " + tensor + ": found " + std::to_string(*rows) +
                                    " rows, expected at most " + std::to_string(kMostLabels) +
                                    " labels");
  }
  if (labels.empty()) {
    for (std::size_t i = 0; i < rows.value_or(0); ++i)
      labels.push_back("LABEL_" + std::to_string(i));
  }
  if (rows && *rows != labels.size()) {
    throw Error(config.where, config.labels_field + " has " + std::to_string(labels.size()) +
                                  " labels, but tensor " + tensor + " has " +
                                  std::to_string(*rows) + " rows");
  }
  if (labels.empty()) {
    throw Error(source.where(), "tensor " + tensor + ": missing, expected a row a label");
  }
}

}  // namespace headlight
