#include "model/families/family.h"

#include <array>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "model/families/config_fields.h"
#include "model/families/native.h"
#include "model/families/published_families.h"

namespace headlight {
namespace {

constexpr std::array<std::pair<std::string_view, const Family*>, 10> kFamilies = {{
    {"headlight", &kNativeFamily},
    {"bert", &kBertFamily},
    {"distilbert", &kDistilBertFamily},
    {"roberta", &kRobertaFamily},
    {"xlm-roberta", &kRobertaFamily},
    {"xlm_roberta", &kRobertaFamily},
    {"camembert", &kRobertaFamily},
    {"electra", &kElectraFamily},
    {"albert", &kAlbertFamily},
    {"mpnet", &kMpnetFamily},
}};

}  // namespace

const Family& find_family(const Json& config, const std::string& where) {
  Fields fields(config, where);
  const std::string model_type = fields.required_string("model_type");
  std::string known;
  for (const auto& [name, family] : kFamilies) {
    if (model_type == name) return *family;
    known += (known.empty() ? "" : ", ") + std::string(name);
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
