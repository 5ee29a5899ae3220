#include "report/models/feature_report.h"

#include <string>
#include <utility>

#include "base/utf8.h"

namespace headlight {

void write_feature_model(JsonWriter& json, const FeatureModel& model) {
  json.key("arguments").begin_object();
  for (const auto& [name, value] : model.arguments()) json.key(name).raw(value);
  json.end_object();
  for (const auto& [name, value] : model.sizes()) json.key(name).raw(value);
}

Facts feature_model_facts(const FeatureModel& model) {
  const auto named = [](const Facts::value_type& fact) {
    return fact.first + ' ' +
           fact.second.substr(fact.second.front() == '"' ? 1 : 0, fact.second.find('"', 1) - 1);
  };
  Facts facts = {{"arguments", joined(model.arguments(), ", ", named)}};
  for (auto& fact : model.sizes()) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace headlight
