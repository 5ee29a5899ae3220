// headlight attention TEXT: what each head attends to, as data, numbers or pictures.

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "activations.h"
#include "attention_options.h"
#include "base/error.h"
#include "base/utf8.h"
#include "command.h"
#include "engine_options.h"
#include "metrics/value_norms.h"
#include "options.h"
#include "output_ending.h"
#include "report/attention/attention_format.h"
#include "report/formats/npy.h"
#include "report/predictions/prediction_report.h"
#include "text_options.h"

namespace headlight {
namespace {

constexpr std::size_t kLargeOutput = 50'000'000;

struct Attention {
  Console console;
  ModelOptions model;
  TextOptions text;
  OutputOptions output;
  EngineOptions engine_options;
  AttentionOptions options;
  std::string hidden;
  ActivationOptions activations;

  int run() const;
  /// Classifies the text and stores its prediction and trace.
  void trace(const Classifier& classifier, TracedText& traced) const;
  AttentionLook look(const TracedText& traced, const LabelSet& labels) const;
  void say_large(std::size_t bytes) const;
};

const AttentionFormat& attention_format(OutputFormat wanted) {
  return *std::ranges::find(attention_formats(), std::string_view(name_of(wanted)),
                            &AttentionFormat::name);
}

int Attention::run() const {
  const AttentionFormat& format = attention_format(output.format());
  text.refuse_windows("attention");
  if (!hidden.empty()) refuse_terminal(hidden, "npy");
  if (activations.wanted()) {
    options.refuse_all("--activations");
    return activations.run({model, text, engine_options, output, console});
  }
  options.check(format.name, format.features);
  const Engine engine = engine_options.start(console);
  const Model ready = engine.ready(model.load(console), Workload::few);
  const Classifier classifier(ready, text.classifier_options());
  TracedText traced;
  traced.model_name = ready.place.name;
  traced.input = text.single(console);
  traced.encoding = classifier.reader().encode(traced.input);
  AttentionChoice choice = options.choose(ready.description, traced.encoding, traced.input);
  const AttentionView view(ready.description, traced, std::move(choice));
  trace(classifier, traced);
  std::optional<OutputFile> hidden_file;
  if (!hidden.empty()) hidden_file.emplace(hidden, output.force());
  Result result(output);
  if (hidden_file) {
    write_npy(hidden_file->output(), traced.trace.hidden, traced.encoding.size());
    hidden_file->finish();
  }
  if (format.size != nullptr && !options.statistics()) {
    say_large(format.size(view.choice(), options.digits()));
  }
  format.write(view, look(traced, classifier.labels()), result.output());
  result.finish();
  return kSuccess;
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
  look.ascii = output.ascii();
  look.heads = options.selects_heads();
  look.lists = options.has_query();
  look.numbers = options.numbers();
  look.statistics = options.statistics();
  look.digits = options.digits();
  look.verdict = labels.names.empty() ? printable(traced.input.text)
                                      : prediction_line(labels, traced.input, traced.prediction,
                                                        PredictionView(), look.color);
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
  attention->text.add_reading_to(*command);
  std::vector<OutputFormat> formats;
  formats.reserve(attention_formats().size());
  for (const AttentionFormat& format : attention_formats())
    formats.push_back(format_named(format.name));
  attention->output.add_to(*command, formats);
  command
      ->add_option("--hidden", attention->hidden,
                   "Also write the vectors after the embedding and each layer, as NPY")
      ->check(not_empty())
      ->check(ends_like(OutputFormat::npy))
      ->option_text("FILE");
  attention->activations.add_to(*command);
  attention->engine_options.add_to(*command);
  attention->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight attention --layers 2 --heads 0,3 --words \"not bad at all\"\n"
      "  headlight attention --format npz -m path/to/model --pair \"a cat\" \"an animal\" -o "
      "a.npz\n"
      "  headlight attention --activations --format svg \"not bad at all\" > vectors.svg");
  command->callback([attention, &runner] { runner = [attention] { return attention->run(); }; });
}

}  // namespace headlight
