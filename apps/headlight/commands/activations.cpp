#include "commands/activations.h"

#include <optional>
#include <utility>

#include "base/error.h"
#include "classifier/classifier.h"
#include "commands/command.h"
#include "options/help_group.h"
#include "report/activations/activation_picture.h"
#include "report/activations/activation_report.h"

namespace headlight {
namespace {

ActivationReport report_of(const Model& model, const TextInput& input, const ActivationJob& job) {
  const Classifier classifier(model, job.text.classifier_options());
  Encoding encoding = classifier.reader().encode(input);
  if (encoding.truncated > 0) {
    job.console.note(model.place.name + ": " + std::to_string(encoding.truncated) +
                     " tokens were cut; use --long error to refuse long texts");
  }
  Trace trace;
  trace.wants_hidden = true;
  Scratch scratch;
  const Prediction prediction = classifier.classify_traced(encoding, scratch, trace);
  if (!prediction.error.empty()) throw TextError(prediction.error);
  ActivationReport report;
  report.model_name = model.place.name;
  report.input = input;
  report.activations = measure_activations(trace.texts.front().hidden, encoding.size());
  report.tokens = std::move(encoding.tokens);
  return report;
}

void say_large(const ActivationReport& report, const Console& console) {
  constexpr std::size_t kLargeOutput = 50'000'000;
  constexpr std::size_t kBytesANumber = 20;
  const std::size_t n = report.tokens.size();
  const std::size_t bytes = report.activations.similarity.size() * n * n * kBytesANumber;
  if (bytes <= kLargeOutput) return;
  console.note("about " + std::to_string(bytes / 1'000'000) +
               " MB of JSON; use --max-length to reduce it");
}

/// `reports` are those of one model or of two.
template <typename... Reports>
std::string document(const ActivationJob& job, const Reports&... reports) {
  if (job.output.format() == OutputFormat::text) return activation_text(reports...);
  if (job.output.format() == OutputFormat::svg) return activation_picture(reports...);
  (say_large(reports, job.console), ...);
  std::string document;
  JsonWriter json(document, job.output.ascii());
  write_activations(json, reports...);
  return document + '\n';
}

}  // namespace

void ActivationOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  rule(command.add_flag("--activations", wanted_,
                        "Show the tokens' vectors after each layer instead: their norms, how far "
                        "the layer turned them, and their cosines"))
      .needs("--format text, json or svg")
      .excludes("--hidden");
  rule(add_value(command, "--compare NAME|DIR|CONFIG.json", other_,
                 "A second model beside the first")
           ->check(not_empty()))
      .excludes("--verdicts or --patch")
      .needs("--format html or --activations");
}

int ActivationOptions::run(const ActivationJob& job) const {
  const Engine engine = job.engine_options.start(job.console);
  const Model model = engine.ready(job.model.load(job.console), Workload::few);
  std::optional<const Model> other;
  if (!other_.empty()) {
    other.emplace(engine.ready(ModelOptions::load_other(other_, job.console), Workload::few));
  }
  const TextInput input =
      TextOptions::single(job.text.all(job.console), "--activations shows one text");
  const ActivationReport report = report_of(model, input, job);
  const std::string written =
      other ? document(job, report, report_of(*other, input, job)) : document(job, report);
  Result result(job.output);
  result.output().write(written);
  result.finish();
  return kSuccess;
}

}  // namespace headlight
