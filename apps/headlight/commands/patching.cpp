#include "commands/patching.h"

#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "commands/command.h"
#include "help/next_step.h"
#include "options/help_group.h"
#include "report/activations/patching_report.h"

namespace headlight {
namespace {

/// A text with its vectors.
struct TracedRun {
  Encoding encoding;
  Prediction prediction;
  TextTrace trace;
};

TracedRun traced_run(const Classifier& classifier, const TextInput& input) {
  TracedRun run;
  run.encoding = classifier.reader().encode(input);
  Trace trace;
  trace.wants_hidden = true;
  Scratch scratch;
  run.prediction = classifier.classify_traced(run.encoding, scratch, trace);
  if (!run.prediction.error.empty()) throw TextError(run.prediction.error);
  run.trace = std::move(trace.texts.front());
  return run;
}

Batch batch_of(const Encoding& encoding) {
  Batch batch;
  batch.add(encoding.ids, encoding.type_ids);
  return batch;
}

std::string json_document(const ActivationJob& job, const auto& write) {
  std::string document;
  JsonWriter json(document, job.output.ascii());
  write(json);
  return document + '\n';
}

}  // namespace

void PatchingOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  rule(command.add_flag("--verdicts", verdicts_,
                        "Show what the classification head says of the vectors after each layer "
                        "instead"))
      .needs("--format text or json")
      .excludes("--patch, --activations or --hidden");
  rule(add_value(command, "--patch TEXT", other_,
                 "Show instead how the logits change if one token, at one layer, has its vector "
                 "from the run of TEXT, which must have as many tokens")
           ->check(not_empty()))
      .needs("--format text, json, svg or html")
      .excludes("--activations or --hidden");
}

int PatchingOptions::run(const ActivationJob& job) const {
  const Engine engine = job.engine_options.start(job.console);
  const Model model = engine.ready(job.model.load(job.console), Workload::few);
  require_text_labels(model, name());
  require_head(model);
  const Classifier classifier(model, job.text.classifier_options());
  const TextInput input =
      TextOptions::single(job.text.all(job.console), std::string(name()) + " shows one text");
  const std::string document = verdicts_ ? verdicts_document(job, classifier, input)
                                         : patch_document(job, classifier, input);
  Result result(job.output);
  result.output().write(document);
  result.finish();
  say_page(job.console, job.output);
  return kSuccess;
}

std::string PatchingOptions::verdicts_document(const ActivationJob& job,
                                               const Classifier& classifier,
                                               const TextInput& input) const {
  const Model& model = classifier.model();
  const TracedRun run = traced_run(classifier, input);
  Scratch scratch;
  LayerVerdicts verdicts{model.place.name, input, {}};
  for (const auto& logits : logits_by_state(model.description, model.weights,
                                            batch_of(run.encoding), run.trace, scratch)) {
    verdicts.states.emplace_back();
    if (logits.empty()) continue;
    verdicts.states.back() =
        classifier.predict({run.encoding.size(), run.encoding.truncated, 1}, logits);
  }
  if (job.output.format() == OutputFormat::text) {
    return layer_verdicts_text(classifier.labels(), verdicts);
  }
  return json_document(
      job, [&](JsonWriter& json) { write_layer_verdicts(json, classifier.labels(), verdicts); });
}

std::string PatchingOptions::patch_document(const ActivationJob& job, const Classifier& classifier,
                                            const TextInput& input) const {
  const Model& model = classifier.model();
  PatchReport report;
  report.model_name = model.place.name;
  report.input = input;
  report.other = job.text.input_of(other_);
  TracedRun own = traced_run(classifier, input);
  TracedRun other = traced_run(classifier, report.other);
  if (own.encoding.size() != other.encoding.size()) {
    throw UsageError("--patch needs two texts with the same number of tokens, found " +
                     std::to_string(own.encoding.size()) + " and " +
                     std::to_string(other.encoding.size()) + "; headlight tokenize shows them");
  }
  Scratch scratch;
  report.patched = patched_logits(model.description, model.weights,
                                  {batch_of(own.encoding), own.trace, other.trace}, scratch, [] {});
  report.tokens = std::move(own.encoding.tokens);
  report.other_tokens = std::move(other.encoding.tokens);
  report.prediction = std::move(own.prediction);
  report.other_prediction = std::move(other.prediction);
  const LabelSet& labels = classifier.labels();
  switch (job.output.format()) {
    case OutputFormat::text:
      return patching_text(labels, report);
    case OutputFormat::svg:
      return patching_picture(labels, report);
    case OutputFormat::html:
      return patching_page(labels, report);
    default:
      return json_document(job, [&](JsonWriter& json) { write_patching(json, labels, report); });
  }
}

}  // namespace headlight
