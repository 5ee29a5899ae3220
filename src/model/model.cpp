#include "model/model.h"

#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "model/families/family.h"
#include "model/model_tokenizer.h"

namespace headlight {
namespace {

std::unique_ptr<FileTensors> open_weights(const ModelPlace& place) {
  if (place.weights.empty()) {
    if (place.directory.empty()) {
      const std::string stem = place.config.substr(0, place.config.rfind('.'));
      throw Error(
          place.config,
          "has no weights beside it: no " + stem + ".safetensors or " + stem + ".weights.json",
          "--weights names a file, `headlight init " + place.config + " -o DIR` makes random ones");
    }
    throw Error(place.directory,
                "has no weights: no model.safetensors, model.safetensors.index.json or "
                "weights.json");
  }
  return std::make_unique<FileTensors>(place.weights);
}

/// Labels by number where the config names none, and a check against the classifier's rows.
void settle_labels(Model& model, const FamilyConfig& config) {
  const auto rows = model.tensors->rows_of(config.classifier_tensor);
  std::vector<std::string>& labels = model.description.labels;
  if (labels.empty()) {
    for (std::size_t i = 0; i < rows.value_or(0); ++i)
      labels.push_back("LABEL_" + std::to_string(i));
  }
  if (rows && *rows != labels.size()) {
    throw Error(model.place.config, "id2label has " + std::to_string(labels.size()) +
                                        " labels, but tensor " + config.classifier_tensor +
                                        " has " + std::to_string(*rows) + " rows");
  }
  if (labels.empty()) {
    throw Error(model.place.weights,
                "tensor " + config.classifier_tensor + ": missing, expected a row a label");
  }
}

}  // namespace

Model load_model(const ModelPlace& place) {
  const Json json = read_json_file(place.config);
  const Family& family = find_family(json, place.config);
  FamilyConfig config = family.read_config(json, place.config);
  Model model;
  model.place = place;
  model.family = family.model_type;
  model.description = std::move(config.description);
  model.tensors = open_weights(place);
  settle_labels(model, config);
  model.weights = family.read_weights(model.description, *model.tensors);
  model.tensors->refuse_leftovers();
  open_tokenizer(model, family, config);
  return model;
}

std::vector<std::string> read_labels_only(const ModelPlace& place) {
  const Json json = read_json_file(place.config);
  return find_family(json, place.config).read_config(json, place.config).description.labels;
}

}  // namespace headlight
