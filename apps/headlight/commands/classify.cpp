// headlight classify TEXT…: label and probability of each text.

#include <memory>
#include <string>
#include <utility>

#include "base/interrupt.h"
#include "base/json_array.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "options/engine_options.h"
#include "options/options.h"
#include "options/text_options.h"
#include "options/token_label_options.h"
#include "options/zero_shot_options.h"
#include "report/predictions/row_writer.h"
#include "rows/predict.h"

namespace headlight {
namespace {

/// Formats a row as a line of text, JSONL, CSV or TSV.
class VerdictLines {
 public:
  /// `labels` must outlive it.
  VerdictLines(const LabelSet& labels, const RowLayout& layout, bool for_people, bool color)
      : labels_(labels),
        view_(layout.view),
        writer_(labels, layout),
        for_people_(for_people),
        color_(color) {}

  std::string header() const { return writer_.header(); }
  std::string line(const ScoredRow<Prediction>& scored) const {
    if (!for_people_) return writer_.row(scored);
    const Prediction& prediction = scored.result;
    if (!prediction.error.empty()) return "error: " + printable(prediction.error) + '\n';
    return prediction_line(labels_, scored.row.input, prediction, view_, color_) + '\n';
  }

 private:
  const LabelSet& labels_;
  PredictionView view_;
  RowWriter writer_;
  bool for_people_;
  bool color_;
};

/// Writes lines, or one JSON array of them, and counts the rows.
class VerdictSink {
 public:
  VerdictSink(Output& output, const VerdictLines& lines, bool array)
      : output_(output), lines_(lines), array_(output), is_array_(array) {}

  void begin() {
    if (!is_array_) output_.write(lines_.header());
  }
  void write(const ScoredRow<Prediction>& scored) {
    errors_.add(scored.row, scored.result);
    std::string line = lines_.line(scored);
    if (!is_array_) return output_.write(line);
    line.pop_back();  // the newline: a comma may follow
    array_.add(line);
  }
  void flush() { output_.flush(); }
  void end() {
    if (is_array_) array_.finish();
  }
  const ErrorCount& errors() const { return errors_; }

 private:
  Output& output_;
  const VerdictLines& lines_;
  JsonArray array_;
  bool is_array_;
  ErrorCount errors_;
};

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
    const ClassifierOptions reading = text.classifier_options();
    token_labels.check(loaded);
    const LabelSet labels = zero_shot.labels(loaded, reading, console);
    const RowLayout layout = layout_for(labels);
    const VerdictLines lines{labels, layout, output.format() == OutputFormat::text,
                             console.color(output)};
    const std::unique_ptr<RowSource> rows = text.rows(console);
    watch_signals();  // so that an unfinished file is removed
    Result result(output);
    VerdictSink sink(result.output(), lines, output.format() == OutputFormat::json);
    sink.begin();
    RowsAhead ahead(*rows, kFewTexts);
    const Model ready = engine.ready(std::move(loaded), workload_of(ahead));
    const auto classifier = labels.each_token
                                ? token_labels.classifier(ready, reading, layout.view.threshold)
                                : zero_shot.classifier(ready, reading);
    score_rows<Prediction>({engine.threads()}, ahead, predict_with(*classifier),
                           {[&](const auto& row) { sink.write(row); }, [&] { sink.flush(); }});
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    sink.end();
    result.finish();
    sink.errors().say(console, "text");
    return sink.errors().status();
  }

  RowLayout layout_for(const LabelSet& labels) const {
    RowLayout layout;
    layout.format =
        output.format() == OutputFormat::text ? RowFormat::jsonl : table_format(output.format());
    layout.ascii = output.ascii();
    layout.text = true;
    layout.pair = text.has_pair();
    layout.view = view.view(labels);
    const bool for_people = output.format() == OutputFormat::text;
    layout.view.probabilities = layout.view.tokens = true;
    layout.view.logits =
        view.logits() || (!labels.each_token && (!for_people || console.is_verbose()));
    if (layout.view.logits && labels.each_token && for_people) {
      throw UsageError("--logits of each token needs --format json, jsonl, csv or tsv");
    }
    layout.view.windows = text.has_windows();
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
  classify->text.add_reading_to(*command);
  classify->zero_shot.add_to(*command);
  classify->view.add_to(*command);
  classify->view.add_logits_to(*command);
  classify->token_labels.add_to(*command);
  classify->output.add_to(*command, {OutputFormat::text, OutputFormat::json, OutputFormat::jsonl,
                                     OutputFormat::csv, OutputFormat::tsv});
  classify->engine_options.add_to(*command);
  classify->console.add_color_to(*command);
  classify->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight classify \"a gorgeous, witty, seductive movie\"\n"
      "  headlight classify -m path/to/model \"A\" --pair \"B\"\n"
      "  headlight classify -m intent --format jsonl < texts.txt > verdicts.jsonl\n"
      "  headlight classify -m path/to/ner-model \"Ada Lovelace lived in London.\"");
  command->callback([classify, &runner] { runner = [classify] { return classify->run(); }; });
}

}  // namespace headlight
