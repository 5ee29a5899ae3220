// headlight classify TEXT…: label, probability and logits of each text.

#include <memory>

#include "base/interrupt.h"
#include "base/utf8.h"
#include "command.h"
#include "options.h"
#include "report/predictions/row_writer.h"
#include "text_options.h"
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
    const RowLayout layout = layout_for(classifier->labels());
    const RowWriter writer(classifier->labels(), layout);
    const RowSupply supply = text.rows(console);
    watch_signals();  // so that an unfinished file is taken away
    Result result(output);
    ErrorCount errors;
    const bool array = output.format() == "json";
    result.output().write(array ? "[" : writer.header());
    const auto write = [&](const ScoredRow& scored) {
      if (array && errors.rows() > 0) result.output().write(",\n");
      errors.add(scored);
      std::string line = output.format() == "text"
                             ? text_line(classifier->labels(), scored, layout.view)
                             : writer.line(scored);
      if (array) line.pop_back();  // the newline: a comma comes before it
      result.output().write(line);
    };
    score_rows(*classifier, threads, EngineOptions::prepare(loaded, supply),
               {write, [&] { result.output().flush(); }});
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    if (array) result.output().write("]\n");
    result.finish();
    errors.say(console, "text");
    return errors.status();
  }

  RowLayout layout_for(const LabelSet& labels) const {
    RowLayout layout;
    layout.format = output.format() == "text" ? RowFormat::jsonl : table_format(output.format());
    layout.ascii = output.ascii();
    layout.text = true;
    layout.pair = text.has_pair();
    layout.view = view.view(labels);
    layout.view.probabilities = layout.view.logits = layout.view.tokens = true;
    layout.view.windows = text.has_windows();
    return layout;
  }

  std::string text_line(const LabelSet& labels, const ScoredRow& scored,
                        const PredictionView& shown) const {
    if (!scored.prediction.error.empty()) {
      return "error: " + printable(scored.prediction.error) + '\n';
    }
    return prediction_line(labels, scored.row.input, scored.prediction, shown,
                           console.color(output)) +
           '\n';
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
  classify->output.add_to(*command, {"text", "json", "jsonl", "csv", "tsv"});
  classify->engine.add_to(*command);
  classify->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight classify \"a gorgeous, witty, seductive movie\"\n"
      "  headlight classify -m path/to/model --format jsonl < texts.txt > verdicts.jsonl");
  command->callback([classify, &runner] { runner = [classify] { return classify->run(); }; });
}

}  // namespace headlight
