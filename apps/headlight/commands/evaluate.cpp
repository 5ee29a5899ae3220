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
#include "commands/row_measures.h"
#include "help/next_step.h"
#include "metrics/known_label_rows.h"
#include "report/evaluation/evaluation_view.h"
#include "rows/row_sources.h"

namespace headlight {
namespace {

/// Output files.
struct EvaluationFiles {
  EvaluationFiles(const EvaluateOptions& options, const Model& model) : result(options.output) {
    if (!options.page_file.empty()) page.emplace(options.page_file, options.output.force());
    if (!options.errors_file.empty()) wrong_rows.emplace(options.errors_file, options.output);
    fitted = options.fit.open(model, options.output);
    cascade = options.cascade.open(model, options.output);
  }

  Result result;
  std::optional<OutputFile> page;
  std::optional<WrongRows> wrong_rows;
  std::unique_ptr<OutputFile> fitted;   // nullptr: nothing is fitted
  std::unique_ptr<OutputFile> cascade;  // nullptr: it is not stored
};

struct EvaluateCommand : EvaluateOptions {
  int run() const {
    const Engine started = engine.start(console);
    rows.check();
    rows.require_labels();
    Model loaded = model.load(console);
    if (loaded.description.pooling != Pooling::each_token) {
      return evaluate_texts(started, std::move(loaded));
    }
    return evaluate_entities(*this, started, std::move(loaded));
  }

  int evaluate_texts(const Engine& started, Model loaded) const {
    token_labels.check(loaded);
    const ClassifierOptions reading = text.classifier_options();
    const LabelSet labels = zero_shot.labels(loaded, reading, console);
    check_labels(loaded, labels);
    const GoldReader gold = label_map.reader(labels, loaded.place, console);
    const auto input = rows.open(console, /*keep=*/comparing.reads_fields());
    watch_signals();  // so that unfinished files are removed
    EvaluationFiles files(*this, loaded);
    std::optional<Model> second = load_second(loaded);
    RowMeasures measures(*this, labels, gold, {loaded, second});
    if (files.wrong_rows) measures.wrong_rows = &*files.wrong_rows;
    KnownLabelRows known(*input, gold, name_of_input());
    TypedIdRows typed(known, text.has_ids());
    RowsAhead ahead(typed, kFewTexts, input.get());
    comparing.check_columns(rows, *input);
    const Workload workload = workload_of(ahead);
    const Model ready = started.ready(std::move(loaded), workload);
    if (second) second = started.ready(std::move(*second), workload);
    measures.score({ready, second}, started.threads(), ahead);
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    if (measures.errors().rows() == 0) throw Error(rows.file(), "has no rows to evaluate");
    EvaluationResults results = measures.results();
    if (comparing.compares()) results.labels_of_second = labels_of(*second, reading.activation);
    if (files.fitted) {
      const Calibration fitted =
          fit.fit(ready, measures.evaluator(), rows.file(), results.evaluation);
      write_calibration_file(*files.fitted, ready, fitted);
    }
    write(files, ready, results);
    if (files.cascade) cascade.store(*files.cascade, ready, *second, *results.cascade, console);
    measures.errors().say(console, "row");
    return row_errors_ok ? kSuccess : measures.errors().status();
  }

  void write(EvaluationFiles& files, const Model& ready, const EvaluationResults& results) const {
    files.result.output().write(document(results));
    if (files.page) {
      files.page->output().write(results_page(ready.place.name + " on " + rows.file(), results));
      files.page->finish();
    }
    if (files.wrong_rows) files.wrong_rows->finish();
    files.result.finish();
    if (files.page) say_page(console, page_file);
    if (!files.fitted) return;
    console.note("wrote " + calibration_path(ready.place));
    say_next(console, "headlight classify" + model.again() + R"( "…")");
  }

  std::string document(const EvaluationResults& results) const {
    if (output.format() == OutputFormat::text) return results_text(results);
    return json_document(output.ascii(), [&](JsonWriter& json) { write_results(json, results); });
  }
};

}  // namespace

void add_evaluate(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "evaluate",
      "Measure a model on labelled rows: accuracy, F1, confusion, calibration, entities");
  const auto evaluate = std::make_shared<EvaluateCommand>();
  evaluate->add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight evaluate reviews.jsonl --errors wrong.jsonl --by product\n"
      "  headlight evaluate reviews.jsonl --attribute heads\n"
      "  headlight evaluate tickets.jsonl -m path/to/model --text body --label queue");
  command->callback([evaluate, &runner] { runner = [evaluate] { return evaluate->run(); }; });
}

}  // namespace headlight
