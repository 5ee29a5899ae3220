// The results of an evaluation of entities, as JSON and as text.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "metrics/entity_evaluation.h"

namespace headlight {

/// {"rows", "errors", "accuracy", "precision", "recall", "macro_f1", "micro_f1", "weighted_f1",
/// "labels": [{"label", "precision", "recall", "f1", "support"}, …]}; precision and recall are
/// those of all entities.
void write_entity_evaluation(JsonWriter& json, const EntityEvaluation& evaluation);

std::string entity_evaluation_text(const EntityEvaluation& evaluation);

}  // namespace headlight
