// headlight explain --rows FILE: the training rows that pushed a verdict.

#include "commands/explain.h"
#include "options/help_group.h"

namespace headlight {

void add_training_rows_to(CLI::App& command, ExplainCommand& explain) {
  const HelpGroup group(command, kInputGroup);
  rule(mark(add_value(command, "--rows FILE", explain.training_file,
                      "Also list the rows of FILE that pushed the prediction most; by how much the "
                      "logits change if the row is left out; FILE is what headlight fit trained "
                      "the model on, with the same options for its fields")
                ->check(not_empty()),
            Effect::contents))
      .excludes("--input", "which explains many texts")
      .excludes("--zero-shot or --live")
      .excludes("--precision bf16 or int8", "which the last layer was not fitted with");
}

std::unique_ptr<RowInfluence> influence_of(const ExplainCommand& command, const Model& model,
                                           const Engine& engine, FitWatch& watch) {
  if (command.training_file.empty()) return nullptr;
  const auto rows = command.training_rows().open(command.console);
  auto influence = std::make_unique<RowInfluence>(model, engine, *rows);
  return influence->prepare(watch) ? std::move(influence) : nullptr;
}

std::optional<TrainingRows> training_rows_of(const ExplainCommand& command,
                                             const RowInfluence* influence, const LabelSet& labels,
                                             const Explanation& explanation) {
  constexpr std::size_t kRowsListed = 10;
  if (influence == nullptr) return std::nullopt;
  const auto pushed = labels_pushed(labels, explanation.prediction);
  const std::size_t most = command.top_k.value_or(kRowsListed);
  return TrainingRows{influence->strongest(explanation.input, pushed, most), pushed,
                      influence->is_partial()};
}

}  // namespace headlight
