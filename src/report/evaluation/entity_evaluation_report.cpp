#include "report/evaluation/entity_evaluation_report.h"

#include "report/evaluation/evaluation_report.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {

void write_entity_evaluation(JsonWriter& json, const EntityEvaluation& evaluation) {
  json.begin_object().field("rows", evaluation.rows).field("errors", evaluation.errors);
  if (evaluation.accuracy) json.field("accuracy", *evaluation.accuracy);
  json.field("precision", evaluation.all.precision)
      .field("recall", evaluation.all.recall)
      .field("macro_f1", evaluation.f1.macro)
      .field("micro_f1", evaluation.f1.micro)
      .field("weighted_f1", evaluation.f1.weighted);
  json.key("labels").begin_array();
  for (std::size_t i = 0; i < evaluation.names.size(); ++i) {
    begin_label(json, evaluation.names[i], evaluation.measures[i]);
    json.end_object();
  }
  json.end_array().end_object();
}

std::string entity_evaluation_text(const EntityEvaluation& evaluation) {
  std::string text;
  const auto line = [&](const char* name, const std::string& value) {
    text += begin_in(name, 24) + value + '\n';
  };
  line("rows", std::to_string(evaluation.rows));
  if (evaluation.errors > 0) line("errors", std::to_string(evaluation.errors) + ", not measured");
  if (evaluation.accuracy) line("accuracy of words", percent(*evaluation.accuracy));
  line("precision", decimal(evaluation.all.precision));
  line("recall", decimal(evaluation.all.recall));
  line("macro F1", decimal(evaluation.f1.macro));
  line("micro F1", decimal(evaluation.f1.micro));
  line("weighted F1", decimal(evaluation.f1.weighted));
  if (evaluation.names.empty()) return text + "no entities, neither correct nor found\n";
  TextTable table({"entity", "precision", "recall", "F1", "correct"}, 1);
  const auto names = shown_names(evaluation.names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const LabelMeasures& label = evaluation.measures[i];
    table.add({names[i], decimal(label.precision), decimal(label.recall), decimal(label.f1),
               std::to_string(label.support)});
  }
  return text + table.text();
}

}  // namespace headlight
