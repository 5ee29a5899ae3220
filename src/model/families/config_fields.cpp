#include "model/families/config_fields.h"

#include <cmath>
#include <limits>
#include <set>

#include "base/json.h"
#include "base/utf8.h"

namespace headlight {
namespace {

/// The reference takes any value. Numbers, true, false and null are named as Python shows them.
std::string read_label(Fields& names, const std::string& key) {
  const Json& value = names.required(key);
  if (value.is_number()) return value.dump();
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  return value.is_null() ? "None" : names.required_string(key);
}

}  // namespace

Activation read_activation(Fields& fields, std::string_view name) {
  const auto activation = find_activation(fields.required_string(name));
  if (activation) return *activation;
  fields.fail(name, "one of " + joined(activation_names()));
}

std::optional<ScoreActivation> read_torch_activation(Fields& fields, const char* name) {
  if (fields.find_value(name) == nullptr) return std::nullopt;
  const std::string path = fields.required_string(name);
  if (path == "torch.nn.modules.linear.Identity" || path == "torch.nn.Identity") {
    return ScoreActivation::none;
  }
  if (path == "torch.nn.modules.activation.Sigmoid" || path == "torch.nn.Sigmoid") {
    return ScoreActivation::sigmoid;
  }
  fields.fail(name, "torch.nn.modules.linear.Identity or torch.nn.modules.activation.Sigmoid");
}

bool read_switch(Fields& fields, std::string_view name) {
  return fields.find_value(name) != nullptr && fields.flag_or(name, false);
}

std::optional<float> read_float(Fields& fields, std::string_view name) {
  if (fields.find_value(name) == nullptr) return std::nullopt;
  const double value = fields.number_or(name, 0.0);
  if (std::abs(value) > std::numeric_limits<float>::max())
    fields.fail(name, "a float32, at most 3.4e38");
  return static_cast<float>(value);
}

std::vector<std::string> read_labels(Fields& fields) {
  const Json* json = fields.find("id2label");
  if (json == nullptr) return {};
  std::vector<std::string> labels;
  if (json->is_array()) {
    labels = fields.strings("id2label");
  } else if (json->is_object()) {
    Fields names(*json, fields.where(), "id2label");
    for (std::size_t i = 0; i < json->size(); ++i) {
      const std::string key = std::to_string(i);
      if (!json->contains(key)) {
        fields.complain("id2label", "has " + std::to_string(json->size()) +
                                        " labels, but none with the number " + key);
      }
      labels.push_back(read_label(names, key));
    }
  } else {
    fields.fail("id2label", "an object {\"0\": …} or a list");
  }
  if (labels.empty()) fields.fail("id2label", "at least one label");
  std::set<std::string> seen;
  for (const auto& label : labels) {
    if (!seen.insert(label).second) {
      fields.complain("id2label", "has two labels named \"" + shortened(label) + "\"");
    }
  }
  return labels;
}

}  // namespace headlight
