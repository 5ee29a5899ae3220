// headlight evaluate FILE: accuracy and calibration of a model on labelled rows.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "commands/cascade.h"
#include "commands/command.h"
#include "commands/evaluate_modes.h"
#include "commands/wrong_rows.h"
#include "help/next_step.h"
#include "measuring/measure.h"
#include "metrics/known_label_rows.h"
#include "report/evaluation/evaluation_view.h"
#include "report/formats/documents.h"
#include "rows/row_sources.h"
#include "terminal/progress.h"

namespace headlight {
namespace {

/// Output files.
struct EvaluationFiles {
  EvaluationFiles(const EvaluateOptions& options, const Model& model) : result(options.output) {
    if (!options.page_file.empty()) page.emplace(options.page_file, options.output.force());
    if (!options.errors_file.empty()) wrong_rows.emplace(options.errors_file, options.output);
    fitted = options.fit.open(model, options.output);
    cascade = open_cascade(options.cascade, model, options.output);
  }

  Result result;
  std::optional<OutputFile> page;
  std::optional<WrongRows> wrong_rows;
  std::unique_ptr<OutputFile> fitted;   // nullptr: nothing is fitted
  std::unique_ptr<OutputFile> cascade;  // nullptr: it is not stored
};

/// Counts the rows, shows how far the run is, and keeps wrong rows.
class EvaluateWatch : public MeasuringWatch {
 public:
  EvaluateWatch(const EvaluateOptions& options, RowsAhead& rows) : options_(options), rows_(rows) {
    begin("row");
  }

  void row(const Row& row, const TextResult& result) override {
    errors_.add(row, result);
    progress_->update(rows_, errors_);
  }
  void judged(const Gold& gold, const Row& row, const Prediction& prediction) override {
    if (wrong_rows != nullptr) wrong_rows->add(*labels, gold, row, prediction);
  }
  void begin(const char* thing) override {
    progress_.emplace(options_.progress.style(options_.console), thing);
  }
  void count(std::size_t done, double share) override { progress_->update({done, share}); }
  void note(const std::string& line) override { options_.console.note(line); }

  const ErrorCount& errors() const { return errors_; }
  WrongRows* wrong_rows = nullptr;
  const LabelSet* labels = nullptr;  // of these

 private:
  const EvaluateOptions& options_;
  RowsAhead& rows_;
  ErrorCount errors_;
  std::optional<Progress> progress_;
};

struct EvaluateCommand : EvaluateOptions {
  const CLI::App* command = nullptr;

  int run() const {
    const Engine started = engine.start(console);
    rows.check();
    rows.require_labels();
    Model loaded = model.load(console);
    if (loaded.description.pooling != Pooling::each_token) {
      return evaluate_texts(started, std::move(loaded));
    }
    return evaluate_entities(started, std::move(loaded));
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
    std::optional<Model> second = load_second(loaded, reading);
    const auto way = measuring_way(*command, *this, {loaded, second ? &*second : nullptr});
    const auto say_unused = [&](const LabelCensus& census) {
      label_map.say_unused(census.found(), console);
    };
    KnownLabelRows known(*input, gold, name_of_input(), say_unused);
    TypedIdRows typed(known, text.has_ids());
    RowsAhead ahead(typed, kFewTexts, input.get());
    comparing.check_columns(rows, *input);
    const Workload workload = workload_of(ahead);
    const Model ready = started.ready(std::move(loaded), workload);
    if (second) second = started.ready(std::move(*second), workload);
    std::optional<EvaluateWatch> watch(std::in_place, *this, ahead);
    if (files.wrong_rows) watch->wrong_rows = &*files.wrong_rows;
    watch->labels = &labels;
    const Measured measured = measure({ready, second ? &*second : nullptr}, ahead,
                                      {labels, gold, rows.file(), started.threads(), way,
                                       comparing.slices_by(), !page_file.empty(), fit.fits(), at},
                                      *watch);
    const ErrorCount errors = watch->errors();
    watch.reset();  // ends the line of progress
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    say_unused(known.census());
    if (files.fitted) write_calibration_file(*files.fitted, ready, *measured.fitted);
    write(files, ready, measured);
    if (files.cascade) {
      store_cascade(cascade, *files.cascade, ready, *second, *measured.cascade, console);
    }
    return say(errors);
  }

  /// The model of --compare or --then. Throws UsageError or Error.
  std::optional<Model> load_second(const Model& first, const ClassifierOptions& reading) const {
    if (!comparing.compares()) return load_large(cascade, first, reading, console);
    Model other = ModelOptions::load_other(comparing.rival(), console);
    require_text_labels(other, "--compare");
    require_head(other);
    return other;
  }

  int evaluate_entities(const Engine& started, Model loaded) const {
    token_labels.check(loaded);
    const ClassifierOptions reading = text.classifier_options();
    require_vocabulary(loaded, reading);
    const auto input = rows.open_tagged(console);
    watch_signals();  // so that an unfinished file is removed
    Result result(output);
    LabelSet tags;
    tags.names = loaded.description.labels;
    const GoldReader gold = label_map.reader(tags, loaded.place, console);
    RowsAhead ahead(*input, kFewTexts, input.get());
    const Model ready = started.ready(std::move(loaded), workload_of(ahead));
    const auto classifier = token_labels.classifier(ready, reading, std::nullopt);
    std::optional<EvaluateWatch> watch(std::in_place, *this, ahead);
    const EntityEvaluation measured =
        measure_entities(*classifier, ahead, {gold, rows.file(), started.threads()}, *watch);
    const ErrorCount errors = watch->errors();
    watch.reset();
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    result.output().write(document(entity_evaluation_text, write_entity_evaluation, measured));
    result.finish();
    return say(errors);
  }

  void write(EvaluationFiles& files, const Model& ready, const Measured& measured) const {
    files.result.output().write(document(results_text, write_results, measured));
    if (files.page) {
      files.page->output().write(results_page(ready.place.name + " on " + rows.file(), measured));
      files.page->finish();
    }
    if (files.wrong_rows) files.wrong_rows->finish();
    files.result.finish();
    if (files.page) say_page(console, page_file);
    if (!files.fitted) return;
    console.note("wrote " + calibration_path(ready.place));
    say_next(console, "headlight classify" + model.again() + R"( "…")");
  }

  template <typename Found>
  std::string document(std::string (*text_of)(const Found&),
                       void (*write_json)(JsonWriter&, const Found&), const Found& found) const {
    if (output.format() == OutputFormat::text) return text_of(found);
    return json_document(output.ascii(), [&](JsonWriter& json) { write_json(json, found); });
  }

  /// Returns the exit status.
  int say(const ErrorCount& errors) const {
    errors.say(console, "row");
    return row_errors_ok ? kSuccess : errors.status();
  }
};

}  // namespace

void add_evaluate(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "evaluate",
      "Measure a model on labelled rows: accuracy, F1, confusion, calibration, entities");
  const auto evaluate = std::make_shared<EvaluateCommand>();
  evaluate->add_to(*command);
  add_mode_rules_to(*command);
  evaluate->command = command;
  command->footer(
      "Examples:\n"
      "  headlight evaluate reviews.jsonl --errors wrong.jsonl --by product\n"
      "  headlight evaluate reviews.jsonl --attribute heads\n"
      "  headlight evaluate tickets.jsonl -m path/to/model --text body --label queue");
  command->callback([evaluate, &runner] { runner = [evaluate] { return evaluate->run(); }; });
}

}  // namespace headlight
