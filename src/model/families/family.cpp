#include "model/families/family.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/utf8.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"

namespace headlight {
namespace {

#define HEADLIGHT_ADDRESS(NAME) &k##NAME##Family,
constexpr std::array kFamilies = {HEADLIGHT_FAMILIES(HEADLIGHT_ADDRESS)};
#undef HEADLIGHT_ADDRESS

constexpr std::string_view kTokenClass = "ForTokenClassification";

/// Numbers the labels if the config names none. Throws Error if their number differs from the rows
/// of the classifier.
void settle_labels(FamilyConfig& config, const TensorSource& source) {
  const std::string& tensor = config.classifier_tensor;
  const auto rows = source.rows_of(tensor);
  std::vector<std::string>& labels = config.description.labels;
  // A tensor without columns has no bytes in the file, so its number of rows may be huge.
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
    throw Error(source.where(), "tensor " + tensor + ": missing, expected one row per label");
  }
}

void check_angles(const Description& model, const std::string& where) {
  for (const Rotary& kind : model.rotary) {
    const auto is_finite = [](float angle) { return std::isfinite(angle); };
    if (std::ranges::all_of(kind.frequencies, is_finite)) continue;
    throw Error(where, "the angles of its rotary positions are too large for a number",
                "rope_theta or a factor is too small, or one of rope_frequencies too large");
  }
}

}  // namespace

FoundFamily find_family(const Json& config, const std::string& where) {
  if (!config.is_object() || !config.contains("model_type")) {
    for (const Family* family : kFamilies) {
      const ModelType* type = family->recognize == nullptr ? nullptr : family->recognize(config);
      if (type != nullptr) return {*family, *type};
    }
  }
  Fields fields(config, where);
  const std::string model_type = fields.required_string("model_type");
  std::string known;
  for (const Family* family : kFamilies) {
    for (const ModelType& type : family->types) {
      if (model_type == type.name) return {*family, type};
      known += (known.empty() ? "" : ", ") + std::string(type.name);
    }
  }
  throw Error(where,
              "model_type: \"" + shortened(model_type) + "\" is not supported, expected " + known);
}

FamilyConfig read_family_config(const Family& family, const Json& config,
                                const std::string& where) {
  FamilyConfig read = family.read_config(config, where);
  check_angles(read.description, where);
  if (!read.architecture.ends_with(kTokenClass)) return read;
  Description& model = read.description;
  model.pooling = Pooling::each_token;
  model.last_skips.reset();
  model.problem_type = ProblemType::single_label;  // the reference does not read it for this class
  model.score_activation.reset();
  model.classifier_bias = read.token_head.bias;
  if (!read.token_head.dense) {
    model.head_dense.reset();
    model.head_norm = false;
    model.head_dense_first = false;
  }
  return read;
}

std::string classifier_name(const FamilyConfig& config, const char* of_texts) {
  const bool each_token = config.description.pooling == Pooling::each_token;
  return each_token ? config.token_head.classifier : of_texts;
}

bool settle_head(const std::string& classifier, FamilyConfig& config, const TensorSource& source,
                 bool has_dense) {
  config.classifier_tensor = classifier;
  const bool has_head = config.has_head.value_or(has_dense && source.has(classifier));
  config.has_head = has_head;
  if (has_head) {
    settle_labels(config, source);
  } else {
    config.description.labels.clear();
    config.description.head_dense.reset();
    config.description.head_norm = false;
    config.description.head_dense_first = false;
  }
  return has_head;
}

}  // namespace headlight
