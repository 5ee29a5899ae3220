#include "inside/attention_steps.h"

#include "base/error.h"
#include "commands/attention.h"
#include "commands/command.h"
#include "report/attention/steps_report.h"
#include "report/formats/documents.h"

namespace headlight {

namespace {

/// The layer of a picture: that of --head, or that of --layers.
std::size_t layer_of_picture(const AttentionOptions& options, const AttentionChoice& choice,
                             const Part& head) {
  if (!options.has_layers()) return head.layer;
  if (options.has_head() || choice.layers.size() != 1) {
    throw UsageError("--steps shows one layer: --layers 1, or --head 1.3 for one head");
  }
  return choice.layers.front();
}

std::string steps_document(const AttentionCommand& command, const Model& model,
                           const TracedText& text, const TextTrace& trace,
                           const AttentionChoice& choice) {
  const AttentionOptions& options = command.options;
  const OutputFormat format = command.output.format();
  const Part head = options.head(model.description);
  const std::size_t n = text.encoding.size();
  const std::size_t query = choice.queries.front();
  AttentionLook look = options.look();
  look.head_names = options.head_names(model.description);
  if (format == OutputFormat::svg || format == OutputFormat::html) {
    const std::size_t layer = layer_of_picture(options, choice, head);
    ShownSteps shown{layer_steps(model, trace, n, layer, query), !options.has_head()};
    if (!shown.whole) shown.layer.heads = {shown.layer.heads[head.head]};
    return format == OutputFormat::svg ? steps_picture(text, shown, look, model.description)
                                       : steps_page(text, shown, look, model.description);
  }
  if (options.has_layers() || !look.head_names.empty()) {
    throw UsageError("--layers and --head-names with --steps need --format svg or html");
  }
  const HeadSteps steps = head_steps(model, trace, n, head.layer, head.head, query);
  return format == OutputFormat::text
             ? steps_text(text, steps)
             : json_document(command.output.ascii(),
                             [&](JsonWriter& json) { write_steps(json, text, steps); });
}

}  // namespace

int show_steps(const AttentionCommand& command) {
  const Model model = command.start(Workload::few).model;
  const Classifier classifier(model, command.text.classifier_options());
  const TextInput input = command.single_text();
  Trace wanted;
  wanted.wants_attention = wanted.wants_values = wanted.wants_queries_and_keys = true;
  TracedText text = read_text(classifier, input);
  Scratch scratch;
  text.prediction = classifier.classify_traced(text.encoding, scratch, wanted);
  if (!text.prediction.error.empty()) throw TextError(text.prediction.error);
  const AttentionChoice choice = command.options.choose(model.description, text.encoding, input);
  command.write(steps_document(command, model, text, wanted.texts.front(), choice));
  return kSuccess;
}

}  // namespace headlight
