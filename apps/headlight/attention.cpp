// headlight attention TEXT: what every head attends to, as data, numbers and pictures.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "activations.h"
#include "attention_options.h"
#include "base/error.h"
#include "base/utf8.h"
#include "command.h"
#include "engine_options.h"
#include "options.h"
#include "report/attention_arrays.h"
#include "report/attention_page.h"
#include "report/attention_picture.h"
#include "report/attention_report.h"
#include "report/attention_statistics_report.h"
#include "report/attention_text.h"
#include "report/npy.h"

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
  /// Tokens, verdict and what was seen on the way there.
  void trace(const Classifier& classifier, TracedText& traced) const;
  void say_large(const AttentionChoice& choice) const;
};

using Writer = void (*)(const Attention&, const AttentionView&, const LabelSet&, Output&);

void write_text(const Attention& attention, const AttentionView& view, const LabelSet& labels,
                Output& output) {
  const AttentionOptions& options = attention.options;
  TerminalLook look;
  look.columns = Console::columns();
  look.color = attention.console.color(attention.output);
  look.numbers = options.numbers();
  look.lists = options.has_query();
  look.decimals = options.digits().value_or(look.decimals);
  const TracedText& traced = view.traced();
  const std::string verdict =
      labels.names.empty()
          ? printable(traced.input.text)
          : prediction_line(labels, traced.input, traced.prediction, PredictionView(), look.color);
  output.write(verdict + '\n');
  if (options.statistics()) {
    constexpr unsigned kDecimals = 4;
    output.write(
        attention_statistics_text(view, look.columns, options.digits().value_or(kDecimals)));
  } else if (options.rollout() || options.selects_heads()) {
    output.write(attention_text(view, look));
  } else {
    output.write(attention_overview(view, look));
  }
}

void write_json(const Attention& attention, const AttentionView& view, const LabelSet& /*labels*/,
                Output& output) {
  std::string document;
  JsonWriter json(document, attention.output.ascii(), attention.options.digits());
  if (attention.options.statistics()) {
    write_attention_statistics(json, view);
  } else {
    attention.say_large(view.choice());
    write_attention(json, view);
  }
  output.write(document + '\n');
}

void write_picture(const Attention& attention, const AttentionView& view,
                   const LabelSet& /*labels*/, Output& output) {
  output.write(attention_picture(view, attention.options.numbers()));
}

void write_array(const Attention& /*attention*/, const AttentionView& view,
                 const LabelSet& /*labels*/, Output& output) {
  write_attention_npy(output, view);
}

void write_arrays(const Attention& /*attention*/, const AttentionView& view,
                  const LabelSet& /*labels*/, Output& output) {
  write_attention_npz(output, view);
}

void write_page(const Attention& /*attention*/, const AttentionView& view,
                const LabelSet& /*labels*/, Output& output) {
  const AttentionChoice& choice = view.choice();
  output.write(
      attention_page(view.model(), view.traced(), {choice.layers, choice.heads, choice.words}));
}

struct Format {
  const char* name;
  Writer write;
  unsigned features;  // of AttentionFeature
};

constexpr unsigned kAnyView = kTakesQuery | kTakesNorms | kTakesRollout;

/// The first is the default.
constexpr std::array kFormats = {
    Format{"text", write_text, kAnyView | kTakesStatistics | kTakesDigits | kTakesNumbers},
    Format{"json", write_json, kAnyView | kTakesStatistics | kTakesDigits},
    Format{"svg", write_picture, kAnyView | kTakesNumbers},
    Format{"npy", write_array, kAnyView},
    Format{"npz", write_arrays, kAnyView},
    Format{"html", write_page, 0}};

const Format& format_named(const std::string& name) {
  return *std::find_if(kFormats.begin(), kFormats.end(),
                       [&](const Format& format) { return format.name == name; });
}

int Attention::run() const {
  const Format& format = format_named(output.format());
  text.refuse_windows("attention");
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
  traced.encoding = classifier.encode(traced.input);
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
  format.write(*this, view, classifier.labels(), result.output());
  result.finish();
  return kSuccess;
}

void Attention::trace(const Classifier& classifier, TracedText& traced) const {
  Trace trace;
  trace.wants_attention = true;
  trace.wants_value_norms = options.weighted();
  trace.wants_label_attention = true;
  trace.wants_hidden = !hidden.empty();
  Scratch scratch;
  traced.prediction = classifier.classify_traced(traced.encoding, scratch, trace);
  traced.trace = std::move(trace.texts.front());
  const Prediction& prediction = traced.prediction;
  if (!prediction.error.empty()) throw TextError(prediction.error);
  if (prediction.truncated > 0) {
    console.note(std::to_string(prediction.truncated) + " tokens were cut; --long error refuses");
  }
}

void Attention::say_large(const AttentionChoice& choice) const {
  const std::size_t bytes = attention_json_size(choice, options.digits());
  if (bytes <= kLargeOutput) return;
  console.note("about " + std::to_string(bytes / 1'000'000) +
               " MB of JSON; --format npy, --layers, --heads or --digits makes it smaller");
}

}  // namespace

void add_attention(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand("attention", "Show what every head attends to");
  const auto attention = std::make_shared<Attention>();
  attention->text.add_texts_to(*command);
  attention->model.add_to(*command);
  attention->options.add_to(*command);
  attention->text.add_reading_to(*command);
  std::vector<std::string> formats;
  formats.reserve(kFormats.size());
  for (const Format& format : kFormats) formats.emplace_back(format.name);
  attention->output.add_to(*command, formats);
  command
      ->add_option("--hidden", attention->hidden,
                   "Also write the vectors after the embedding and each layer, as NPY")
      ->check(not_empty())
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
