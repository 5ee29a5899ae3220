// headlight attention TEXT: what each head attends to, as data, numbers or pictures.

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "commands/activations.h"
#include "commands/command.h"
#include "commands/head_worth.h"
#include "commands/patching.h"
#include "commands/several_texts.h"
#include "help/next_step.h"
#include "inside/value_norms.h"
#include "options/attention_options.h"
#include "options/engine_options.h"
#include "options/help_group.h"
#include "options/options.h"
#include "options/output_options.h"
#include "options/text_options.h"
#include "report/attention/attention_format.h"
#include "report/formats/npy.h"
#include "report/predictions/prediction_report.h"
#include "terminal/progress.h"

namespace headlight {
namespace {

constexpr std::size_t kLargeOutput = 50'000'000;

struct Attention {
  using Use = std::function<void(const AttentionView& view, const AttentionLook& look)>;

  Console console;
  ModelOptions model;
  TextOptions text;
  OutputOptions output;
  EngineOptions engine_options;
  AttentionOptions options;
  std::string hidden;
  ActivationOptions activations;
  PatchingOptions patching;
  HeadWorthOptions worth;
  std::optional<HeadWorth> heads;  // what --worth says, once it is read
  ProgressOptions progress;

  int run();
  void show_one(const Classifier& classifier, const TextInput& input) const;
  int show_several(const Classifier& classifier, const std::vector<Row>& texts) const;
  /// One text, read by two models.
  void show_models(const Model& first, const Engine& engine, const std::vector<Row>& texts) const;
  /// Traces a text and hands its view to `use`.
  void view(const Classifier& classifier, const TextInput& input, const Use& use) const;
  /// Classifies the text and stores its prediction and trace.
  void trace(const Classifier& classifier, TracedText& traced) const;
  AttentionLook look(const TracedText& traced, const LabelSet& labels) const;
  const AttentionFormat& format() const;
  std::string reason_for_one_text() const;
  void say_large(std::size_t bytes) const;
};

const AttentionFormat& Attention::format() const {
  return *std::ranges::find(attention_formats(), std::string_view(name_of(output.format())),
                            &AttentionFormat::name);
}

/// Empty if several texts can be shown.
std::string Attention::reason_for_one_text() const {
  if (!hidden.empty()) return "--hidden writes the vectors of one text";
  if (format().series != nullptr) return "";
  return std::string("--format ") + format().name +
         " shows one text; json, npz and text show several";
}

int Attention::run() {
  if (!hidden.empty()) refuse_terminal(hidden, "npy");
  if (activations.wanted()) return activations.run({model, text, engine_options, output, console});
  if (patching.wanted()) return patching.run({model, text, engine_options, output, console});
  const Engine engine = engine_options.start(console);
  const Model ready = engine.ready(model.load(console), Workload::few);
  heads = worth.read(ready.description);
  const Classifier classifier(ready, text.classifier_options());
  const std::vector<Row> texts = text.all(console);
  if (!activations.other().empty()) {
    show_models(ready, engine, texts);
    return kSuccess;
  }
  if (texts.size() > format().most_texts) {
    throw UsageError(std::string("--format ") + format().name + " shows at most " +
                     std::to_string(format().most_texts) +
                     " texts; json, npz and text show any number");
  }
  const std::string reason = reason_for_one_text();
  if (texts.size() > 1 && reason.empty()) return show_several(classifier, texts);
  show_one(classifier, TextOptions::single(texts, reason));
  return kSuccess;
}

void Attention::show_models(const Model& first, const Engine& engine,
                            const std::vector<Row>& texts) const {
  const Model other =
      engine.ready(ModelOptions::load_other(activations.other(), console), Workload::few);
  const TextInput input = TextOptions::single(texts, "--compare shows one text");
  Result result(output);
  const auto series = format().series(result.output());
  for (const Model* each : {&first, &other}) {
    const Classifier classifier(*each, text.classifier_options());
    view(classifier, input,
         [&](const AttentionView& view, const AttentionLook& look) { series->add(view, look); });
  }
  series->finish();
  result.finish();
  say_page(console, output);
}

void Attention::show_one(const Classifier& classifier, const TextInput& input) const {
  view(classifier, input, [&](const AttentionView& view, AttentionLook look) {
    std::optional<OutputFile> hidden_file;
    if (!hidden.empty()) hidden_file.emplace(hidden, output.force());
    Result result(output);
    if (hidden_file) {
      const TracedText& traced = view.traced();
      write_npy(hidden_file->output(), traced.trace.hidden, traced.encoding.size());
      hidden_file->finish();
    }
    if (format().size != nullptr && !options.statistics()) {
      say_large(format().size(view.choice(), options.digits()));
    }
    Progress shown(progress.style(console), "layer");
    look.progress = [&](std::size_t done, std::size_t layers) {
      shown.update({done, static_cast<double>(done) / static_cast<double>(layers), 0});
    };
    format().write(view, look, result.output());
    result.finish();
  });
  say_page(console, output);
}

int Attention::show_several(const Classifier& classifier, const std::vector<Row>& texts) const {
  watch_signals();  // so that an unfinished file is removed
  Result result(output);
  const auto series = format().series(result.output());
  Progress shown(progress.style(console, output.path().empty()), "text");
  Progress::Done done;
  const auto show = [&](const TextInput& input) {
    view(classifier, input,
         [&](const AttentionView& view, const AttentionLook& look) { series->add(view, look); });
    ++done.count;
    done.share = static_cast<double>(done.count) / static_cast<double>(texts.size());
    shown.update(done);
  };
  const auto show_error = [&](const TextInput& input, const std::string& error) {
    AttentionLook look;
    look.ascii = output.ascii();
    series->add_error(input, error, look);
  };
  const int status = SeveralTexts{show, show_error}.run(texts, console);
  if (caught_signal() != 0) return status;
  series->finish();
  result.finish();
  say_page(console, output);
  return status;
}

void Attention::view(const Classifier& classifier, const TextInput& input, const Use& use) const {
  const Description& description = classifier.model().description;
  TracedText traced;
  traced.model_name = classifier.model().place.name;
  traced.input = input;
  traced.encoding = classifier.reader().encode(input);
  AttentionChoice choice = options.choose(description, traced.encoding, input);
  const AttentionView view(description, traced, std::move(choice));
  trace(classifier, traced);
  use(view, look(traced, classifier.labels()));
}

void Attention::trace(const Classifier& classifier, TracedText& traced) const {
  Trace trace;
  trace.wants_attention = true;
  trace.wants_values = options.weighted();
  trace.wants_label_attention = true;
  trace.wants_hidden = !hidden.empty();
  Scratch scratch;
  traced.prediction = classifier.classify_traced(traced.encoding, scratch, trace);
  traced.trace = std::move(trace.texts.front());
  const Model& ready = classifier.model();
  traced.value_norms = value_norms(ready.description, ready.weights, traced.trace);
  traced.trace.values = {};  // only their norms are shown
  const Prediction& prediction = traced.prediction;
  if (!prediction.error.empty()) throw TextError(prediction.error);
  if (prediction.truncated > 0) {
    console.note(std::to_string(prediction.truncated) +
                 " tokens were cut; use --long error to refuse long texts");
  }
}

AttentionLook Attention::look(const TracedText& traced, const LabelSet& labels) const {
  AttentionLook look;
  look.columns = Console::columns();
  look.color = console.color(output);
  if (output.format() == OutputFormat::text) look.terminal = console.terminal_colours(output);
  look.ascii = output.ascii();
  look.heads = options.selects_heads();
  look.lists = options.has_query();
  look.numbers = options.numbers();
  look.statistics = options.statistics();
  look.digits = options.digits();
  if (heads) look.worth = &*heads;
  PredictionView view;
  view.logits = console.is_verbose();
  look.verdict = labels.names.empty()
                     ? shown_input(traced.input)
                     : prediction_line(labels, traced.input, traced.prediction, view, look.color);
  return look;
}

void Attention::say_large(std::size_t bytes) const {
  if (bytes <= kLargeOutput) return;
  console.note("about " + std::to_string(bytes / 1'000'000) +
               " MB of JSON; use --format npy, --layers, --heads or --digits to reduce it");
}

}  // namespace

void add_attention(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand("attention", "Show what each head attends to");
  const auto attention = std::make_shared<Attention>();
  attention->text.add_texts_to(*command);
  attention->model.add_to(*command);
  attention->options.add_to(*command);
  attention->text.add_reading_to(*command,
                                 TextOptions::kIds | TextOptions::kActivation | TextOptions::kLong);
  std::vector<OutputFormat> formats;
  formats.reserve(attention_formats().size());
  for (const AttentionFormat& format : attention_formats())
    formats.push_back(format_named(format.name));
  attention->output.add_to(*command, formats);
  const HelpGroup group(*command, kOutputGroup);
  rule(add_value(*command, "--hidden FILE", attention->hidden,
                 "Also write the vectors after the embedding and each layer, as NPY")
           ->check(not_empty())
           ->check(ends_like(OutputFormat::npy)))
      .excludes("--compare", "because it writes the vectors of one model");
  attention->activations.add_to(*command);
  attention->patching.add_to(*command);
  attention->worth.add_to(*command);
  attention->progress.add_to(*command);
  attention->engine_options.add_to(*command);
  attention->console.add_color_to(*command);
  attention->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight attention --layers 2 --heads 0,3 --words \"not bad at all\"\n"
      "  headlight attention -m path/to/model \"a cat\" --pair \"an animal\" -o a.npz\n"
      "  headlight attention --activations --format svg \"not bad at all\" > vectors.svg\n"
      "  headlight attention -o both.html \"a great film\" \"a terrible film\"\n"
      "  headlight attention --patch \"a terrible film\" -o where.html \"a great film\"");
  command->callback([attention, &runner] { runner = [attention] { return attention->run(); }; });
}

}  // namespace headlight
