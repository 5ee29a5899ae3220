// What a model that reads texts by itself is: its settings and sizes.
#pragma once

#include "base/json_writer.h"
#include "report/formats/plain_text.h"
#include "text/feature_model.h"

namespace headlight {

/// Fields of an object: "arguments", then the sizes.
void write_feature_model(JsonWriter& json, const FeatureModel& model);
/// The same as lines.
Facts feature_model_facts(const FeatureModel& model);

}  // namespace headlight
