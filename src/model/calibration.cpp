#include "model/calibration.h"

#include <algorithm>

#include "base/fields.h"
#include "base/file.h"
#include "base/json.h"
#include "base/nearest_name.h"

namespace headlight {
namespace {

void read_temperature(Fields& fields, const Description& model, Calibration& calibration) {
  constexpr double kLeast = 0.001;  // logits divided by it stay finite in float64
  constexpr double kMost = 1000.0;
  if (fields.find("temperature") == nullptr) return;
  const double temperature = fields.number_or("temperature", 0.0);
  if (temperature < kLeast || temperature > kMost) {
    fields.fail("temperature", "a number from 0.001 to 1000");
  }
  if (model.problem_type == ProblemType::regression) {
    fields.complain("temperature", "applies to probabilities, but the model is a regression");
  }
  calibration.temperature = temperature;
}

void read_thresholds(Fields& fields, const Description& model, Calibration& calibration) {
  const Json* found = fields.find("thresholds");
  if (found == nullptr) return;
  if (model.problem_type != ProblemType::multi_label) {
    fields.complain("thresholds", "apply only to multi-label models");
  }
  Fields each(*found, fields.where(), fields.path_of("thresholds"));
  calibration.thresholds.assign(model.classes(), kDefaultThreshold);
  for (const auto& [name, value] : found->items()) {
    const auto label = std::find(model.labels.begin(), model.labels.end(), name);
    if (label == model.labels.end()) {
      const std::string near = did_you_mean(name, model.labels);
      each.complain(name, "is not a label of the model" + (near.empty() ? "" : "; " + near));
    }
    const double threshold = each.number_or(name, 0.0);
    if (threshold < 0.0 || threshold > 1.0) each.fail(name, "a number from 0 to 1");
    const auto number = static_cast<std::size_t>(label - model.labels.begin());
    calibration.thresholds[number] = static_cast<float>(threshold);
  }
}

}  // namespace

std::string calibration_path(const ModelPlace& place) {
  return beside_config(place, "calibration.json");
}

Calibration read_calibration(const ModelPlace& place, const Description& model) {
  Calibration calibration;
  const std::string path = calibration_path(place);
  if (!file_exists(path)) return calibration;
  const Json json = read_json_file(path);
  Fields fields(json, path);
  calibration.file = path;
  read_temperature(fields, model, calibration);
  read_thresholds(fields, model, calibration);
  fields.refuse_unknown();
  return calibration;
}

void write_calibration(JsonWriter& json, const std::vector<std::string>& labels,
                       const Calibration& calibration) {
  if (calibration.temperature) json.field("temperature", *calibration.temperature);
  if (calibration.thresholds.empty()) return;
  json.key("thresholds").begin_object();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    json.field(labels[i], calibration.thresholds[i]);
  }
  json.end_object();
}

std::string calibration_document(const std::vector<std::string>& labels,
                                 const Calibration& calibration) {
  std::string document;
  JsonWriter json(document);
  json.begin_object();
  write_calibration(json, labels, calibration);
  json.end_object();
  return document + '\n';
}

}  // namespace headlight
