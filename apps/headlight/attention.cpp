// headlight attention TEXT: every head's attention matrix with its tokens.

#include <memory>
#include <optional>

#include "base/error.h"
#include "command.h"
#include "options.h"
#include "report/attention_page.h"
#include "report/attention_report.h"
#include "report/npy.h"

namespace headlight {
namespace {

constexpr std::size_t kLargeOutput = 50'000'000;

struct Attention {
  Console console;
  ModelOptions model;
  TextOptions text;
  OutputOptions output;
  EngineOptions engine;
  std::string hidden;

  int run() const {
    text.refuse_windows("attention");
    engine.start(console);
    Model loaded = model.load(console);
    engine.set_precision(loaded, console);
    const Classifier classifier(loaded, text.classifier_options());
    TracedText traced;
    traced.model_name = loaded.place.name;
    traced.input = text.single(console);
    traced.encoding = classifier.encode(traced.input);
    if (output.format() == "json") {
      say_large(attention_json_size(loaded.description, traced.encoding.size()));
    }
    Trace trace;
    trace.wants_attention = true;
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
    const std::string document = document_of(loaded.description, traced);
    std::optional<OutputFile> hidden_file;
    if (!hidden.empty()) hidden_file.emplace(hidden, output.force());
    Result result(output);
    if (hidden_file) {
      write_npy(hidden_file->output(), traced.trace.hidden, traced.encoding.size());
      hidden_file->finish();
    }
    result.output().write(document);
    result.finish();
    return kSuccess;
  }

  std::string document_of(const Description& description, const TracedText& traced) const {
    if (output.format() == "html") return attention_page(description, traced, {});
    std::string document;
    JsonWriter json(document, output.ascii());
    write_attention(json, description, traced);
    return document + '\n';
  }

  void say_large(std::size_t bytes) const {
    if (bytes <= kLargeOutput) return;
    console.note("about " + std::to_string(bytes / 1'000'000) +
                 " MB of JSON; --max-length makes it smaller");
  }
};

}  // namespace

void add_attention(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand("attention", "Show what every head attends to");
  const auto attention = std::make_shared<Attention>();
  attention->text.add_texts_to(*command);
  attention->model.add_to(*command);
  attention->text.add_reading_to(*command);
  attention->output.add_to(*command, {"json", "html"});
  command
      ->add_option("--hidden", attention->hidden,
                   "Also write the vectors after the embedding and each layer, as NPY")
      ->check(not_empty())
      ->option_text("FILE");
  attention->engine.add_to(*command);
  attention->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight attention --format json \"not bad at all\"\n"
      "  headlight attention --format json -m path/to/model --pair \"a cat\" \"an animal\" -o "
      "a.json\n"
      "  headlight attention --format html -o page.html \"not bad at all\"\n"
      "  headlight attention --hidden vectors.npy \"not bad at all\" > attention.json");
  command->callback([attention, &runner] { runner = [attention] { return attention->run(); }; });
}

}  // namespace headlight
