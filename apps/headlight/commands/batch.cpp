// headlight batch FILE: scores a file of rows in order, in constant memory.

#include <memory>
#include <utility>

#include "commands/cascade.h"
#include "commands/command.h"
#include "commands/row_run.h"
#include "options/engine_options.h"
#include "options/options.h"
#include "options/row_output_options.h"
#include "options/text_options.h"
#include "options/token_label_options.h"
#include "options/zero_shot_options.h"
#include "report/predictions/foreign_rows.h"
#include "rows/predict.h"
#include "rows/row_sources.h"

namespace headlight {
namespace {

RowShape shape_of(const RowLayout& layout) {
  const bool header = layout.header && is_table(layout.format);
  if (layout.format == RowFormat::fasttext) return {layout.format, false, {}, kFasttextError};
  return {layout.format, header, layout.null, layout.view.prefix + "error"};
}

struct BatchCommand {
  RowOptions rows;
  RowOutputOptions row_output;
  Console console;
  ModelOptions model;
  CascadeOptions cascade;
  TextOptions text;
  ZeroShotOptions zero_shot;
  TokenLabelOptions token_labels;
  ViewOptions view;
  EngineOptions engine_options;
  OutputOptions output;
  RunOptions options;

  int run() const {
    const Engine engine = engine_options.start(console);
    rows.check(/*writes_table=*/is_table(table_format(output.format())));
    Model loaded = model.load(console);
    ClassifierOptions reading = text.classifier_options();
    token_labels.check(loaded);
    const LabelSet labels =
        row_output.labels(zero_shot.labels(loaded, reading, console), output.format());
    PredictionView shown = view.view(labels);
    shown.windows = text.has_windows(loaded);
    reading.most_ranked = shown.top_k.value_or(1);
    std::optional<Model> large = load_large(cascade, loaded, reading, console);
    const LargeModel then = large ? choose_threshold(cascade, loaded, *large) : LargeModel();
    if (large) shown.models = {loaded.place.name, then.name};
    const RowLayout layout = row_output.layout(rows, output, shown);
    const bool has_summary = options.summary.is_used();
    reading.only_ranked = !has_summary && !needs_all_scores(labels, layout.view);
    RowWriter writer(labels, layout);
    row_output.refuse_clash(writer);
    const auto input = rows.open(console, row_output.keeps(), row_output.names_files());
    WholeRowFinder whole_rows(shape_of(layout));
    RowRun run(options, rows, output, console, engine);
    if (!run.open(*input, loaded, whole_rows, then)) return run.status();
    if (has_summary) run.sum_labels(labels);
    KeptColumnRows kept(*input, writer);
    TypedIdRows typed(kept, text.has_ids());
    const Workload workload = workload_of(run.read_ahead(typed));
    const Model ready = engine.ready(std::move(loaded), workload);
    if (large) large = engine.ready(std::move(*large), workload);
    const auto classifier = labels.each_token
                                ? token_labels.classifier(ready, reading, shown.threshold)
                                : zero_shot.classifier(ready, reading);
    const auto score = large ? score_by_cascade(ready, *large, reading, then.threshold)
                             : predict_with(*classifier);
    // The large model is slow with the few rows that are left of a chunk, and one without layers is
    // done with a few before another thread can take the next.
    const bool has_many = large || ready.description.layers.empty();
    return run.score(score, writer, has_many ? 512 : RowPace().rows_at_once);
  }
};

}  // namespace

void add_batch(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "batch", "Score a file of rows: one output row per input row, in order, in constant memory");
  const auto batch = std::make_shared<BatchCommand>();
  batch->rows.add_to(*command);
  batch->row_output.add_to(*command);
  batch->model.add_to(*command);
  batch->cascade.add_to(*command, batch->model);
  batch->text.add_reading_to(*command, TextOptions::kIds | TextOptions::kActivation |
                                           TextOptions::kAmong | TextOptions::kWindows);
  batch->zero_shot.add_to(*command);
  batch->view.add_to(*command);
  batch->token_labels.add_to(*command);
  batch->output.add_to(*command, {OutputFormat::jsonl, OutputFormat::csv, OutputFormat::tsv,
                                  OutputFormat::hf, OutputFormat::fasttext});
  batch->options.add_to(*command);
  batch->options.resume.add_batch_to(*command);
  batch->engine_options.add_to(*command);
  batch->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight batch reviews.csv --text review --keep -o predictions.csv\n"
      "  headlight batch --input-format jsonl --text body --id key < tickets.jsonl");
  command->callback([batch, &runner] { runner = [batch] { return batch->run(); }; });
}

}  // namespace headlight
