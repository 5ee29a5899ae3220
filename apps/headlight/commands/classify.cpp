// headlight classify TEXT…: label and probability of each text.

#include <memory>
#include <string>
#include <utility>

#include "base/interrupt.h"
#include "commands/command.h"
#include "options/engine_options.h"
#include "options/options.h"
#include "options/text_options.h"
#include "options/token_label_options.h"
#include "options/zero_shot_options.h"
#include "report/formats/documents.h"
#include "report/predictions/row_writer.h"
#include "rows/predict.h"

namespace headlight {
namespace {

struct Classify {
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  TokenLabelOptions token_labels;
  ViewOptions view;
  EngineOptions engine_options;
  OutputOptions output;

  int run() const {
    const Engine engine = engine_options.start(console);
    Model loaded = model.load(console);
    ClassifierOptions reading = text.classifier_options();
    token_labels.check(loaded);
    const LabelSet labels = zero_shot.labels(loaded, reading, console);
    RowLayout layout = layout_for(labels);
    layout.view.windows = text.has_windows(loaded);
    reading.most_ranked = layout.view.top_k.value_or(1);
    const RowWriter writer(labels, layout);
    const std::unique_ptr<RowSource> rows = text.rows(console);
    watch_signals();  // so that an unfinished file is removed
    Result result(output);
    const bool is_array = output.format() == OutputFormat::json;
    Documents documents(result.output(),
                        is_array ? DocumentLayout::json_array : DocumentLayout::lines);
    result.output().write(writer.header());
    RowsAhead ahead(*rows, kFewTexts);
    const Model ready = engine.ready(std::move(loaded), workload_of(ahead));
    const auto classifier = labels.each_token
                                ? token_labels.classifier(ready, reading, layout.view.threshold)
                                : zero_shot.classifier(ready, reading);
    ErrorCount errors;
    const auto write = [&](const ScoredRow<Prediction>& scored) {
      errors.add(scored.row, scored.result);
      documents.add(writer.row(scored));
    };
    score_rows<Prediction>({engine.threads()}, ahead, predict_with(*classifier),
                           {write, [&] { result.output().flush(); }});
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    documents.finish();
    result.finish();
    errors.say(console, "text");
    return errors.status();
  }

  RowLayout layout_for(const LabelSet& labels) const {
    const bool is_text = output.format() == OutputFormat::text;
    RowLayout layout;
    layout.format = is_text ? RowFormat::text : table_format(output.format());
    layout.color = console.color(output);
    layout.ascii = output.ascii();
    layout.text = true;
    layout.pair = text.has_pair();
    layout.view = view.view(labels);
    layout.view.probabilities = layout.view.tokens = true;
    layout.view.logits =
        view.logits() || (!labels.each_token && (!is_text || console.is_verbose()));
    if (layout.view.logits && labels.each_token && is_text) {
      throw UsageError("--logits of each token needs --format json, jsonl, csv or tsv");
    }
    return layout;
  }
};

}  // namespace

void add_classify(CLI::App& app, Runner& runner) {
  CLI::App* command =
      app.add_subcommand("classify", "Print the label and probability of each text");
  const auto classify = std::make_shared<Classify>();
  classify->text.add_texts_to(*command);
  classify->model.add_to(*command);
  classify->text.add_reading_to(*command, TextOptions::kIds | TextOptions::kActivation |
                                              TextOptions::kAmong | TextOptions::kWindows);
  classify->zero_shot.add_to(*command);
  classify->view.add_to(*command);
  classify->view.add_logits_to(*command);
  classify->token_labels.add_to(*command);
  classify->output.add_to(*command, {OutputFormat::text, OutputFormat::json, OutputFormat::jsonl,
                                     OutputFormat::csv, OutputFormat::tsv, OutputFormat::hf});
  classify->engine_options.add_to(*command);
  classify->console.add_color_to(*command);
  classify->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight classify \"a gorgeous, witty, seductive movie\"\n"
      "  headlight classify -m path/to/model \"A\" --pair \"B\"\n"
      "  headlight classify -m intent --format jsonl < texts.txt > predictions.jsonl\n"
      "  headlight classify -m path/to/ner-model \"Ada Lovelace lived in London.\"");
  command->callback([classify, &runner] { runner = [classify] { return classify->run(); }; });
}

}  // namespace headlight
