#include "report/evaluation/entity_evaluation_report.h"

#include "report/evaluation/evaluation_report.h"
#include "report/evaluation/evaluation_text.h"

namespace headlight {

void write_entity_evaluation(JsonWriter& json, const EntityEvaluation& evaluation) {
  LabelSet labels;
  labels.names = evaluation.names;
  json.begin_object();
  write_evaluation_fields(json, labels, evaluation.measured);
  if (evaluation.names.empty()) json.key("labels").begin_array().end_array();
  json.end_object();
}

std::string entity_evaluation_text(const EntityEvaluation& evaluation) {
  const std::string text = facts_text(evaluation_facts(evaluation.measured));
  if (evaluation.names.empty()) return text + "no entities, neither correct nor found\n";
  TextTable table({"entity", "precision", "recall", "F1", "correct"}, 1);
  const auto names = shown_names(evaluation.names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const LabelMeasures& label = evaluation.measured.labels[i];
    table.add({names[i], decimal(label.precision), decimal(label.recall), decimal(label.f1),
               std::to_string(label.support)});
  }
  return text + table.text();
}

}  // namespace headlight
