#include <optional>
#include <string>
#include <vector>

#include "commands/attention.h"
#include "commands/command.h"
#include "report/activations/activation_picture.h"
#include "report/activations/activation_report.h"

namespace headlight {
namespace {

TextActivations activations_in(const AttentionCommand& command, const Model& model,
                               const TextInput& input) {
  require_one_stack(model, "--activations");
  const Classifier classifier(model, command.text.classifier_options());
  TracedText text = read_text(classifier, input);
  if (text.encoding.truncated > 0) {
    command.console.note(text.model_name + ": " + std::to_string(text.encoding.truncated) +
                         " tokens were cut; use --long error to refuse long texts");
  }
  Trace wanted;
  wanted.wants_hidden = true;
  fill_trace(classifier, wanted, text);
  return activations_of(std::move(text));
}

void say_large(const Console& console, const TextActivations& found) {
  constexpr std::size_t kLargeOutput = 50'000'000;
  constexpr std::size_t kBytesANumber = 20;
  const std::size_t n = found.text.encoding.size();
  const std::size_t bytes = found.activations.similarity.size() * n * n * kBytesANumber;
  if (bytes <= kLargeOutput) return;
  console.note("about " + std::to_string(bytes / 1'000'000) +
               " MB of JSON; use --max-length to reduce it");
}

std::string document(const AttentionCommand& command, const std::vector<TextActivations>& models) {
  if (command.output.format() == OutputFormat::text) return activation_text(models);
  if (command.output.format() == OutputFormat::svg)
    return activation_picture(models, command.options.look().title);
  for (const TextActivations& found : models) say_large(command.console, found);
  return activation_json(models, command.output.ascii());
}

}  // namespace

int show_activations(const AttentionCommand& command) {
  const auto [engine, model] = command.start(Workload::few);
  const std::string& compared = command.options.compared();
  std::optional<const Model> other;
  if (!compared.empty()) {
    other.emplace(engine.ready(ModelOptions::load_other(compared, command.console), Workload::few));
    require_layers(*other, "--compare");
  }
  const TextInput input = command.single_text();
  std::vector<TextActivations> models;
  models.push_back(activations_in(command, model, input));
  if (other) models.push_back(activations_in(command, *other, input));
  command.write(document(command, models));
  return kSuccess;
}

}  // namespace headlight
