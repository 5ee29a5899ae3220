#include "model/feature_models.h"

#include "model/fasttext_description.h"
#include "model/sparse_files.h"

namespace headlight {

Model load_fasttext(const ModelPlace& place, const FilesRead& files) {
  Model model;
  model.place = place;
  model.family = "fasttext";
  const auto features = std::make_shared<const FasttextModel>(place.path);
  model.features = features;
  model.description = describe_fasttext(*features);
  model.calibration = read_calibration(place, model.description);
  model.files = files.paths();
  return model;
}

Model load_sparse_model(const ModelPlace& place, const Json& json, const FilesRead& files) {
  Model model;
  model.place = place;
  model.family = kSparseFamily;
  model.description = describe_sparse(json, place.config);
  model.features = load_sparse(json, place, model.description);
  model.calibration = read_calibration(place, model.description);
  model.files = files.paths();
  return model;
}

}  // namespace headlight
