#include "options/evaluate_options.h"

#include "base/error.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/number_list.h"
#include "options/output_options.h"

namespace headlight {

void EvaluateOptions::add_to(CLI::App& command) {
  rows.add_label_to(command);
  rows.add_to(command);
  label_map.add_to(command);
  model.add_to(command);
  text.add_reading_to(command, TextOptions::kIds | TextOptions::kActivation | TextOptions::kAmong |
                                   TextOptions::kWindows | TextOptions::kEqual);
  zero_shot.add_to(command);
  add_measuring_to(command);
  fit.add_to(command);
  comparing.add_to(command);
  cascade.add_measuring_to(command, model);
  add_ablation_to(command);
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
           ->check(output_name())
           ->check(ends_like(OutputFormat::html)))
      .needs(kLabelsTexts);
  rule(add_value(command, "--errors FILE", errors_file,
                 "Also write the wrongly predicted rows as JSONL, the most confident first")
           ->check(output_name())
           ->check(ends_like(OutputFormat::jsonl)))
      .needs(kLabelsTexts);
  rule(add_value(command, "--at K,K…", at,
                 "Also measure precision and recall of the K best labels of each row, such as "
                 "1,3,5")
           ->delimiter(',')
           ->allow_extra_args(false)
           ->transform(without_blanks())
           ->check(whole_number(1, UINT32_MAX)))
      .needs(kLabelsTexts)
      .needs(kHasLabelNames);
  for (const char* file : {"--html", "--errors"}) mark(command.get_option(file), Effect::nothing);
  const std::string of_heads = "Also print statistics of each head over all rows";
  rule(command.add_flag("--attention-stats", of_heads)).needs(kLabelsTexts);
  rule(command.get_option("--ids")).needs(kLabelsTexts);
  const HelpGroup run(command, kRunGroup);
  command.add_flag("--row-errors-ok", row_errors_ok, "Error rows do not change the exit status");
}

void EvaluateOptions::add_ablation_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  const auto parts_or_heads = [](const std::string& typed) -> std::string {
    if (value_of(typed, kPartsWords) || typed.find('.') != std::string::npos) return "";
    return "found \"" + shortened(typed) +
           "\", expected heads, layers, feed-forwards, or heads such as 1.10,2.3 (layer.head)";
  };
  rule(add_value(command, "--ablate PARTS|LIST", ablated,
                 "Measure without heads, layers or feed-forwards; each in turn, or the heads of a "
                 "list at once, such as 1.10,2.3 (layer.head), with intervals of the changes")
           ->check(CLI::Validator(parts_or_heads, "")))
      .needs(kLabelsTexts);
  rule(choice(
           command.add_option("--attribute",
                              "Estimate what each head, neuron or layer is worth; by one backward "
                              "pass per row, how much the loss rises without it; parts are "
                              "taken out for 32 rows, and the correlation is shown"),
           attributed,
           {{"heads", PartKind::head}, {"neurons", PartKind::neuron}, {"layers", PartKind::layer}})
           ->option_text("PARTS"))
      .needs(kLabelsTexts);
}

AblationPlan EvaluateOptions::ablation_plan(const Description& description) const {
  const auto kind = value_of(ablated, kPartsWords);
  AblationPlan plan{kind.value_or(PartKind::head)};
  if (!kind) plan.together = parse_heads("--ablate", ablated, description);
  return plan;
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
