// headlight evaluate FILE: how right a model is on labelled rows, and how sure.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "command.h"
#include "fit_options.h"
#include "metrics/evaluation.h"
#include "metrics/traced_rows.h"
#include "options.h"
#include "report/evaluation/evaluation_page.h"
#include "report/evaluation/evaluation_report.h"
#include "report/evaluation/evaluation_text.h"
#include "row_options.h"
#include "text_options.h"
#include "zero_shot_options.h"

namespace headlight {
namespace {

/// The rows that were given a wrong verdict, for --errors.
class WrongRows {
 public:
  explicit WrongRows(const std::string& path, const OutputOptions& output)
      : file_(path, output.force()), ascii_(output.ascii()) {}

  void add(const LabelSet& labels, const Gold& gold, const ScoredRow& scored) {
    const auto wrong = wrongness(labels, gold, scored.prediction);
    if (!wrong) return;
    std::string line;
    JsonWriter json(line, ascii_);
    write_wrong_row(json, labels, gold, scored.row, scored.prediction);
    rows_.emplace_back(*wrong, line + '\n');
  }
  /// The surest first, those alike in the order of the file.
  void finish() {
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [wrong, line] : rows_) file_.output().write(line);
    file_.finish();
  }

 private:
  OutputFile file_;
  bool ascii_;
  std::vector<std::pair<double, std::string>> rows_;
};

/// A row whose label nobody knows is an error before anything is computed.
RowSupply with_known_labels(const RowSupply& rows, const GoldReader& gold) {
  return {[rows, &gold] {
            std::optional<Row> row = rows.next();
            if (!row || !row->error.empty()) return row;
            try {
              gold.read(row->label);
            } catch (const TextError& error) {
              row->error = error.line();
            }
            return row;
          },
          rows.ready};
}

struct EvaluateCommand {
  RowOptions rows;
  std::string errors_file;
  std::string page_file;
  bool attention = false;
  bool row_errors_ok = false;
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  FitOptions fit;
  EngineOptions engine;
  OutputOptions output;

  int run() const {
    if (attention) text.refuse_windows("--attention-stats");
    const std::size_t threads = engine.start(console);
    check_rows();
    Model loaded = model.load(console);
    engine.set_precision(loaded, console);
    const auto classifier = zero_shot.classifier(loaded, text.classifier_options(), console);
    const LabelSet& labels = classifier->labels();
    check_labels(loaded, labels);
    const RowSupply supply = supply_of(rows.open(console));
    watch_signals();  // so that unfinished files are taken away
    Result result(output);
    std::optional<OutputFile> page;
    if (!page_file.empty()) page.emplace(page_file, output.force());
    std::optional<WrongRows> wrong_rows;
    if (!errors_file.empty()) wrong_rows.emplace(errors_file, output);
    const GoldReader gold_reader(labels);
    const std::unique_ptr<OutputFile> fitted_file = fit.open(loaded, output);
    Evaluator evaluator(labels, fit.wanted());
    ErrorCount errors;
    const auto take = [&](const ScoredRow& scored) {
      errors.add(scored);
      if (!scored.prediction.error.empty()) return evaluator.add_error();
      const Gold gold = gold_reader.read(scored.row.label);
      evaluator.add(gold, scored.prediction);
      if (wrong_rows) wrong_rows->add(labels, gold, scored);
    };
    const RowSupply known = EngineOptions::prepare(loaded, with_known_labels(supply, gold_reader));
    AttentionSums heads;
    if (attention) {
      const Classifier traced(loaded, text.classifier_options());
      score_traced_rows(traced, threads, known, {take, [] {}}, heads);
    } else {
      score_rows(*classifier, threads, known, {take, [] {}});
    }
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    Evaluation evaluation = evaluator.measure();
    evaluation.attention = heads.statistics();
    if (fitted_file) {
      const Calibration fitted = fit.fit(loaded, evaluator, rows.file(), evaluation);
      write_calibration_file(*fitted_file, loaded, fitted);
    }
    result.output().write(document(labels, evaluation));
    if (page) {
      page->output().write(
          evaluation_page(loaded.place.name + " on " + rows.file(), labels, evaluation));
      page->finish();
    }
    if (wrong_rows) wrong_rows->finish();
    result.finish();
    errors.say(console, "row");
    return row_errors_ok ? kSuccess : errors.status();
  }

  void check_rows() const {
    rows.check();
    if (rows.format() == RowFormat::text) {
      throw UsageError("text lines have no labels, and " + rows.file() +
                       " is read as those; --input-format jsonl, csv or tsv changes that");
    }
  }

  static void check_labels(const Model& loaded, const LabelSet& labels) {
    if (labels.problem_type == ProblemType::regression && labels.names.size() > 1) {
      throw Error(loaded.place.path, "gives " + std::to_string(labels.names.size()) +
                                         " values a text, and a row's label is one value");
    }
    if (labels.problem_type == ProblemType::multi_label && !labels.probabilities) {
      throw UsageError("a model that gives any number of labels needs an activation");
    }
  }

  std::string document(const LabelSet& labels, const Evaluation& evaluation) const {
    if (output.format() == "text") return evaluation_text(labels, evaluation);
    std::string document;
    JsonWriter json(document, output.ascii());
    write_evaluation(json, labels, evaluation);
    return document + '\n';
  }
};

void add_measuring_options(CLI::App& command, EvaluateCommand& evaluate) {
  command
      .add_option("--html", evaluate.page_file,
                  "Also write a page with the confusion matrix and the reliability diagram")
      ->check(not_empty())
      ->option_text("FILE");
  command
      .add_option("--errors", evaluate.errors_file,
                  "Also write the rows with a wrong verdict, the surest first, as JSONL")
      ->check(not_empty())
      ->option_text("FILE");
  command
      .add_flag("--attention-stats", evaluate.attention,
                "Also say what each head does over all rows")
      ->excludes(command.get_option("--zero-shot"))
      ->option_text(" ");
  command.add_flag("--row-errors-ok", evaluate.row_errors_ok,
                   "Rows with errors do not change the exit status");
}

}  // namespace

void add_evaluate(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "evaluate", "Measure a model on labelled rows: accuracy, F1, confusion, calibration");
  const auto evaluate = std::make_shared<EvaluateCommand>();
  evaluate->rows.add_to(*command);
  evaluate->rows.add_label_to(*command);
  evaluate->model.add_to(*command);
  evaluate->text.add_reading_to(*command);
  evaluate->zero_shot.add_to(*command);
  add_measuring_options(*command, *evaluate);
  evaluate->fit.add_to(*command);
  evaluate->output.add_to(*command, {"text", "json"});
  evaluate->engine.add_to(*command);
  evaluate->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight evaluate reviews.jsonl --errors wrong.jsonl\n"
      "  headlight evaluate tickets.jsonl -m path/to/model --text body --label queue --format "
      "json");
  command->callback([evaluate, &runner] { runner = [evaluate] { return evaluate->run(); }; });
}

}  // namespace headlight
