#include "model/model.h"

#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "model/families/family.h"
#include "model/foreign_files.h"
#include "model/leftovers.h"
#include "model/model_tokenizer.h"

namespace headlight {
namespace {

std::unique_ptr<FileTensors> open_weights(const ModelPlace& place) {
  if (place.weights.empty()) throw missing_weights(place);
  refuse_foreign_weights(place.weights);
  return std::make_unique<FileTensors>(place.weights);
}

}  // namespace

Model load_model(const ModelPlace& place) {
  const FilesRead files;
  const Json json = read_json_file(place.config);
  const auto& [family, type] = find_family(json, place.config);
  FamilyConfig config = read_family_config(family, json, place.config);
  Model model;
  model.place = place;
  model.family = type.name;
  model.architecture = config.architecture;
  model.contradictions = config.contradictions;
  model.tensors = open_weights(place);
  model.weights = family.read_weights(config, *model.tensors);
  model.description = config.description;
  model.classifier_tensor = config.classifier_tensor;
  model.encoder_limit = model.description.max_positions;
  model.tensors->check_finite(model.weights.embeddings.token, [&, &family = family, &type = type] {
    model.calibration = read_calibration(place, model.description);
    if (family.has_extras) {
      settle_leftovers(config, model);
    } else {
      model.tensors->refuse_leftovers();
    }
    open_tokenizer(model, type, config);
  });
  model.files = files.paths();
  return model;
}

std::vector<std::string> read_labels_only(const ModelPlace& place) {
  const Json json = read_json_file(place.config);
  const Family& family = find_family(json, place.config).family;
  return read_family_config(family, json, place.config).description.labels;
}

}  // namespace headlight
