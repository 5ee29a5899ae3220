#include "options/evaluate_options.h"

#include "base/error.h"
#include "options/help_group.h"
#include "options/output_options.h"

namespace headlight {

void EvaluateOptions::add_to(CLI::App& command) {
  rows.add_label_to(command);
  rows.add_to(command);
  label_map.add_to(command);
  model.add_to(command);
  text.add_reading_to(command, TextOptions::kIds | TextOptions::kActivation |
                                   TextOptions::kWindows | TextOptions::kEqual);
  zero_shot.add_to(command);
  add_measuring_to(command);
  fit.add_to(command);
  comparing.add_to(command);
  cascade.add_measuring_to(command, model);
  ablation.add_to(command);
  token_labels.add_entities_to(command);
  progress.add_to(command);
  output.add_to(command, {OutputFormat::text, OutputFormat::json});
  engine.add_to(command);
  console.add_to(command);
}

void EvaluateOptions::add_measuring_to(CLI::App& command) {
  const HelpGroup group(command, kOutputGroup);
  rule(add_value(command, "--html FILE", page_file,
                 "Also write an HTML page with the confusion matrix and the reliability diagram")
           ->check(not_empty())
           ->check(ends_like(OutputFormat::html)))
      .needs(kLabelsTexts);
  rule(add_value(command, "--errors FILE", errors_file,
                 "Also write the wrongly predicted rows as JSONL, the most confident first")
           ->check(not_empty())
           ->check(ends_like(OutputFormat::jsonl)))
      .needs(kLabelsTexts);
  for (const char* file : {"--html", "--errors"}) mark(command.get_option(file), Effect::nothing);
  const std::string of_heads = "Also print statistics of each head over all rows";
  rule(command.add_flag("--attention-stats", of_heads)).needs(kLabelsTexts);
  rule(command.get_option("--ids")).needs(kLabelsTexts);
  const HelpGroup run(command, kRunGroup);
  command.add_flag("--row-errors-ok", row_errors_ok, "Error rows do not change the exit status");
}

void EvaluateOptions::check_labels(const Model& loaded, const LabelSet& labels) {
  if (labels.problem_type == ProblemType::regression && labels.names.size() > 1) {
    throw Error(loaded.place.path, "predicts " + std::to_string(labels.names.size()) +
                                       " values per text, but a row's label is a single value");
  }
  if (labels.problem_type == ProblemType::multi_label && !labels.probabilities) {
    throw UsageError("a multi-label model needs an activation");
  }
}

}  // namespace headlight
