#include <string>
#include <utility>

#include "commands/attention.h"
#include "commands/command.h"
#include "report/activations/patching_report.h"
#include "report/formats/documents.h"

namespace headlight {
namespace {

Classifier classifier_with_head(const AttentionCommand& command, const Model& model) {
  require_text_labels(model, command.mode().name());
  require_one_stack(model, command.mode().name());
  require_head(model);
  return {model, command.text.classifier_options()};
}

TracedText traced(const Classifier& classifier, const TextInput& input) {
  Trace wanted;
  wanted.wants_hidden = true;
  return trace_text(classifier, input, wanted);
}

std::string patch_document(const AttentionCommand& command, const LabelSet& labels,
                           const PatchedText& patched) {
  switch (command.output.format()) {
    case OutputFormat::text:
      return patching_text(labels, patched);
    case OutputFormat::svg:
      return patching_picture(labels, patched, command.options.look().title);
    case OutputFormat::html:
      return patching_page(labels, patched);
    default:
      return json_document(command.output.ascii(),
                           [&](JsonWriter& json) { write_patching(json, labels, patched); });
  }
}

}  // namespace

int show_verdicts(const AttentionCommand& command) {
  const Model model = command.start(Workload::few).model;
  const Classifier classifier = classifier_with_head(command, model);
  const LabelSet& labels = classifier.labels();
  const LayerVerdicts verdicts =
      layer_verdicts(classifier, traced(classifier, command.single_text()));
  const auto write = [&](JsonWriter& json) { write_layer_verdicts(json, labels, verdicts); };
  command.write(command.output.format() == OutputFormat::text
                    ? layer_verdicts_text(labels, verdicts)
                    : json_document(command.output.ascii(), write));
  return kSuccess;
}

int show_patching(const AttentionCommand& command) {
  const Model model = command.start(Workload::few).model;
  const Classifier classifier = classifier_with_head(command, model);
  const TextInput input = command.single_text();
  const TextInput other_input =
      command.text.input_of(command.command->get_option("--patch")->as<std::string>());
  TracedText text = traced(classifier, input);
  TracedText other = traced(classifier, other_input);
  if (text.encoding.size() != other.encoding.size()) {
    throw UsageError("--patch needs two texts with the same number of tokens, found " +
                     std::to_string(text.encoding.size()) + " and " +
                     std::to_string(other.encoding.size()) + "; headlight tokenize shows them");
  }
  command.write(patch_document(command, classifier.labels(),
                               patch(classifier, std::move(text), std::move(other))));
  return kSuccess;
}

}  // namespace headlight
