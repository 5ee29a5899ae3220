// headlight classify TEXT…: label, probability and logits of each text.

#include <memory>

#include "base/interrupt.h"
#include "base/utf8.h"
#include "command.h"
#include "options.h"
#include "report/json_writer.h"
#include "zero_shot_options.h"

namespace headlight {
namespace {

struct Classify {
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  ViewOptions view;
  EngineOptions engine;
  OutputOptions output;

  int run() const {
    const std::size_t threads = engine.start(console);
    Model loaded = model.load(console);
    engine.set_precision(loaded, console);
    const auto classifier = zero_shot.classifier(loaded, text.classifier_options(), console);
    PredictionView shown = view.view(classifier->labels());
    shown.probabilities = shown.logits = shown.tokens = true;
    const RowSupply supply = text.rows(console);
    watch_signals();  // so that an unfinished file is taken away
    Result result(output);
    ErrorCount errors;
    const bool array = output.format() == "json";
    const auto write = [&](const ScoredRow& scored) {
      if (array) result.output().write(errors.rows() == 0 ? "[" : ",\n");
      errors.add(scored);
      result.output().write(line(classifier->labels(), scored, shown));
      if (!array) result.output().write("\n");
    };
    score_rows(*classifier, threads, EngineOptions::prepare(loaded, supply),
               {write, [&] { result.output().flush(); }});
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    if (array) result.output().write(errors.rows() == 0 ? "[]\n" : "]\n");
    result.finish();
    errors.say(console, "text");
    return errors.status();
  }

  std::string line(const LabelSet& labels, const ScoredRow& scored,
                   const PredictionView& shown) const {
    const TextInput& input = scored.row.input;
    if (output.format() == "text") {
      if (!scored.prediction.error.empty()) return "error: " + printable(scored.prediction.error);
      return prediction_line(labels, input, scored.prediction, shown, console.color());
    }
    std::string document;
    JsonWriter json(document, output.ascii());
    json.begin_object().field("text", input.text);
    if (input.pair) json.field("pair", *input.pair);
    write_prediction(json, labels, scored.prediction, shown);
    json.end_object();
    return document;
  }
};

}  // namespace

void add_classify(CLI::App& app, Runner& runner) {
  CLI::App* command =
      app.add_subcommand("classify", "Say the label, probability and logits of each text");
  const auto classify = std::make_shared<Classify>();
  classify->text.add_texts_to(*command);
  classify->model.add_to(*command);
  classify->text.add_reading_to(*command);
  classify->zero_shot.add_to(*command);
  classify->view.add_to(*command);
  classify->output.add_to(*command, {"text", "json", "jsonl"});
  classify->engine.add_to(*command);
  classify->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight classify \"a gorgeous, witty, seductive movie\"\n"
      "  headlight classify -m path/to/model --format jsonl < texts.txt > verdicts.jsonl");
  command->callback([classify, &runner] { runner = [classify] { return classify->run(); }; });
}

}  // namespace headlight
