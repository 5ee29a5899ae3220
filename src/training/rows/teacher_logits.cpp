#include "training/rows/teacher_logits.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/utf8.h"

namespace headlight {
namespace {

/// The label of a column of logits; empty if it is another column.
std::string_view label_of_column(std::string_view column, const std::string& field) {
  for (const std::string& begin : {field + '.', std::string(field == "logits" ? "logit." : "")}) {
    if (!begin.empty() && column.starts_with(begin)) return column.substr(begin.size());
  }
  return {};
}

}  // namespace

std::string spelled_teacher_logits(const Row& row, const std::string& field) {
  std::string columns;
  JsonWriter json(columns);
  json.begin_object();
  for (const KeptField& kept : row.kept) {
    if (kept.name == field && kept.text) return *kept.text;
    const std::string_view label = label_of_column(kept.name, field);
    if (!label.empty() && kept.text) json.key(label).string(*kept.text);
  }
  json.end_object();
  if (columns == "{}") throw TextError("has no teacher logits in \"" + shortened(field) + '"');
  return columns;
}

std::vector<float> teacher_logits_of(const std::string& spelled, const LabelNames& labels) {
  Json json;
  try {
    json = parse_json(spelled, "teacher logits");
  } catch (const Error& error) {
    throw TextError(error.line());
  }
  if (!json.is_object() || json.size() != labels.names.size()) {
    throw TextError("found the teacher logits " + excerpt(json) + ", expected one for each of " +
                    std::to_string(labels.names.size()) + " labels");
  }
  std::vector<float> logits;
  for (const std::string& name : labels.names) {
    const auto found = json.find(name);
    if (found == json.end()) {
      throw TextError("has no teacher logit of the label \"" + shortened(name) + '"');
    }
    const Json number =
        found->is_string() ? Json::parse(found->get<std::string>(), nullptr, false) : *found;
    const float logit = number.is_number() ? number.get<float>() : NAN;
    if (!std::isfinite(logit)) {
      throw TextError("found the teacher logit " + excerpt(*found) + ", expected a number");
    }
    logits.push_back(logit);
  }
  return logits;
}

}  // namespace headlight
