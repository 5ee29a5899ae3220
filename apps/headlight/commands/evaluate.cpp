// headlight evaluate FILE: accuracy and calibration of a model on labelled rows.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "commands/command.h"
#include "commands/evaluate_entities.h"
#include "commands/measuring_sink.h"
#include "help/next_step.h"
#include "metrics/known_label_rows.h"
#include "metrics/row_attention.h"
#include "options/ablation_options.h"
#include "options/comparing_options.h"
#include "options/engine_options.h"
#include "options/fit_options.h"
#include "options/help_group.h"
#include "options/label_map.h"
#include "options/options.h"
#include "options/output_options.h"
#include "options/row_options.h"
#include "options/text_options.h"
#include "options/zero_shot_options.h"
#include "report/evaluation/evaluation_view.h"
#include "rows/scoring.h"
#include "rows/typed_id_rows.h"
#include "terminal/progress.h"

namespace headlight {
namespace {

struct EvaluateCommand {
  RowOptions rows;
  LabelMap label_map;
  std::string errors_file;
  std::string page_file;
  bool attention = false;
  ComparingOptions comparing;
  AblationOptions ablation;
  bool row_errors_ok = false;
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  TokenLabelOptions token_labels;
  FitOptions fit;
  ProgressOptions progress_options;
  EngineOptions engine_options;
  OutputOptions output;

  /// Output files.
  struct Files {
    Files(const EvaluateCommand& command, const Model& model) : result(command.output) {
      const OutputOptions& options = command.output;
      if (!command.page_file.empty()) page.emplace(command.page_file, options.force());
      if (!command.errors_file.empty()) wrong_rows.emplace(command.errors_file, options);
      fitted = command.fit.open(model, options);
    }

    Result result;
    std::optional<OutputFile> page;
    std::optional<WrongRows> wrong_rows;
    std::unique_ptr<OutputFile> fitted;  // nullptr: nothing is fitted
  };

  int run() const {
    const Engine engine = engine_options.start(console);
    rows.check();
    rows.require_labels();
    Model loaded = model.load(console);
    if (loaded.description.pooling == Pooling::each_token) {
      return evaluate_entities(
          {rows, label_map, text, token_labels, progress_options, output, console, row_errors_ok},
          engine, std::move(loaded));
    }
    token_labels.check(loaded);
    const ClassifierOptions reading = text.classifier_options();
    const LabelSet labels = zero_shot.labels(loaded, reading, console);
    check_labels(loaded, labels);
    const GoldReader gold = label_map.reader(labels, console);
    const auto input = rows.open(console, /*keep=*/comparing.reads_fields());
    watch_signals();  // so that unfinished files are removed
    Files files(*this, loaded);
    std::optional<Model> second = comparing.load(console);
    Measures measures{Evaluator(labels, fit.wanted()), comparing.slices(labels),
                      ComparingOptions::comparison(loaded, labels, second, reading),
                      ablation.sums(loaded, labels), files.wrong_rows};
    MeasuringSink sink(gold, labels, measures);
    KnownLabelRows known(*input, gold, rows.file() == "-" ? "standard input" : rows.file());
    TypedIdRows typed(known);
    RowsAhead ahead(text.has_ids() ? static_cast<RowSource&>(typed) : known, kFewTexts);
    comparing.check_columns(rows, input->reader());
    const Workload workload = workload_of(ahead);
    const Model ready = engine.ready(std::move(loaded), workload);
    if (second) second = engine.ready(std::move(*second), workload);
    CountedRows counted_rows(ahead, *input);
    score({ready, second}, engine.threads(), counted_rows, sink);
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    EvaluationResults results = sink.results(rows.file());
    if (second) results.labels_of_second = labels_of(*second, reading.activation);
    if (files.fitted) {
      const Calibration fitted =
          fit.fit(ready, measures.evaluator, rows.file(), results.evaluation);
      write_calibration_file(*files.fitted, ready, fitted);
    }
    write(files, ready, results);
    say_made(ready);
    sink.errors().say(console, "row");
    return row_errors_ok ? kSuccess : sink.errors().status();
  }

  void say_made(const Model& ready) const {
    if (!page_file.empty()) say_page(console, page_file);
    if (!fit.wanted()) return;
    console.note("wrote " + calibration_path(ready.place));
    say_next(console, "headlight classify" + model.again() + R"( "…")");
  }

  struct Models {
    const Model& ready;
    const std::optional<Model>& second;
  };
  /// Traces the rows if --attention-stats was given.
  void score(const Models& models, std::size_t threads, CountedRows& source,
             MeasuringSink& measuring) const {
    const Model& ready = models.ready;
    Progress progress(progress_options.style(console), "row");
    ProgressSink sink(measuring, measuring.errors(), source, progress);
    const ClassifierOptions reading = text.classifier_options();
    if (attention) {
      const Classifier traced(ready, reading);
      const AttentionSummarizer summarizer;
      return score_rows(TracingScorer(traced, summarizer), threads, source, sink);
    }
    if (ablation.wanted()) {
      const Classifier whole(ready, reading);
      return ablation.score({whole, threads, source, sink, measuring, progress});
    }
    const auto classifier = zero_shot.classifier(ready, reading);
    if (models.second) {
      const Classifier second(*models.second, reading);
      return score_rows(ComparingScorer(*classifier, second), threads, source, sink);
    }
    score_rows(TextScorer(*classifier), threads, source, sink);
  }

  static void check_labels(const Model& loaded, const LabelSet& labels) {
    if (labels.problem_type == ProblemType::regression && labels.names.size() > 1) {
      throw Error(loaded.place.path, "predicts " + std::to_string(labels.names.size()) +
                                         " values per text, but a row's label is a single value");
    }
    if (labels.problem_type == ProblemType::multi_label && !labels.probabilities) {
      throw UsageError("a multi-label model needs an activation");
    }
  }

  void write(Files& files, const Model& loaded, const EvaluationResults& results) const {
    files.result.output().write(document(results));
    if (files.page) {
      files.page->output().write(results_page(loaded.place.name + " on " + rows.file(), results));
      files.page->finish();
    }
    if (files.wrong_rows) files.wrong_rows->finish();
    files.result.finish();
  }

  std::string document(const EvaluationResults& results) const {
    if (output.format() == OutputFormat::text) return results_text(results);
    std::string document;
    JsonWriter json(document, output.ascii());
    write_results(json, results);
    return document + '\n';
  }
};

void add_measuring_options(CLI::App& command, EvaluateCommand& evaluate) {
  const HelpGroup group(command, kOutputGroup);
  rule(add_value(command, "--html FILE", evaluate.page_file,
                 "Also write an HTML page with the confusion matrix and the reliability diagram")
           ->check(not_empty())
           ->check(ends_like(OutputFormat::html)))
      .needs(kLabelsTexts);
  rule(add_value(command, "--errors FILE", evaluate.errors_file,
                 "Also write the wrongly predicted rows as JSONL, the most confident first")
           ->check(not_empty())
           ->check(ends_like(OutputFormat::jsonl)))
      .needs(kLabelsTexts);
  rule(command.add_flag("--attention-stats", evaluate.attention,
                        "Also print statistics of each head over all rows"))
      .excludes("--zero-shot")
      .excludes("--long window", "which averages only logits")
      .needs(kLabelsTexts);
  rule(command.get_option("--ids")).needs(kLabelsTexts);
  const HelpGroup run(command, kRunGroup);
  command.add_flag("--row-errors-ok", evaluate.row_errors_ok,
                   "Error rows do not change the exit status");
}

}  // namespace

void add_evaluate(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "evaluate",
      "Measure a model on labelled rows: accuracy, F1, confusion, calibration, entities");
  const auto evaluate = std::make_shared<EvaluateCommand>();
  evaluate->rows.add_label_to(*command);
  evaluate->rows.add_to(*command);
  evaluate->label_map.add_to(*command);
  evaluate->model.add_to(*command);
  evaluate->text.add_reading_to(
      *command, TextOptions::kIds | TextOptions::kActivation | TextOptions::kWindows);
  evaluate->zero_shot.add_to(*command);
  add_measuring_options(*command, *evaluate);
  evaluate->fit.add_to(*command);
  evaluate->comparing.add_to(*command);
  evaluate->ablation.add_to(*command);
  evaluate->token_labels.add_entities_to(*command);
  evaluate->progress_options.add_to(*command);
  evaluate->output.add_to(*command, {OutputFormat::text, OutputFormat::json});
  evaluate->engine_options.add_to(*command);
  evaluate->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight evaluate reviews.jsonl --errors wrong.jsonl --by product\n"
      "  headlight evaluate tickets.jsonl -m path/to/model --text body --label queue");
  command->callback([evaluate, &runner] { runner = [evaluate] { return evaluate->run(); }; });
}

}  // namespace headlight
