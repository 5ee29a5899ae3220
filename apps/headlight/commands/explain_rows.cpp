#include "commands/explain_rows.h"

#include <chrono>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "commands/command.h"
#include "commands/row_run.h"
#include "inside/word_explainer.h"
#include "options/help_group.h"
#include "options/output_options.h"
#include "report/explanation/explanation_lines.h"
#include "report/explanation/explanation_summary.h"
#include "rows/row_scorer.h"

namespace headlight {
namespace {

/// Explains rows one by one.
class ExplainingScorer : public RowScorer {
 public:
  /// Both must outlive it.
  ExplainingScorer(const WordExplainer& explainer, const ExplanationLines& lines)
      : explainer_(explainer), lines_(lines) {}

  std::size_t rows_at_once() const override { return 4; }
  std::vector<ScoredRow> score(std::vector<Row> rows, ScoringScratch& /*scratch*/) const override {
    std::vector<ScoredRow> scored;
    for (Row& row : rows) {
      ScoredRow done;
      done.prediction.error = row.error;
      if (row.error.empty() && !explain(row, done)) break;
      done.row = std::move(row);
      scored.push_back(std::move(done));
    }
    return scored;
  }

 private:
  /// False after a signal.
  bool explain(const Row& row, ScoredRow& done) const {
    try {
      auto explanation = explainer_.explain(row.input, {[] { return caught_signal() != 0; }, {}});
      if (!explanation) return false;
      done.trace_summary = lines_.line(row, *explanation);
      done.prediction = std::move(explanation->prediction);
    } catch (const TextError& error) {
      done.prediction.error = error.line();
    } catch (const std::bad_alloc&) {
      done.prediction.error = "needs more memory than there is";
    }
    return true;
  }

  const WordExplainer& explainer_;
  const ExplanationLines& lines_;
};

}  // namespace

void ExplainedRowsOptions::add_to(CLI::App& command) {
  rule(rows_.add_input_to(command))
      .excludes("TEXT or --pair", "whose place it takes")
      .excludes("--format html or json", "because it writes a line of JSONL per row");
  {
    const NeedOfAll all(command, "--input");
    rows_.add_reading_to(command);
    run_.resume.add_to(command);
    run_.errors.add_to(command);
    const HelpGroup group(command, kOutputGroup);
    rule(mark(add_value(command, "--summary FILE", words_,
                        "Also write the words that push each label most over the file of -o: JSON "
                        "if FILE ends in .json, else text; - is standard output")
                  ->check(not_empty()),
              Effect::nothing))
        .needs("-o FILE", "whose rows it reads");
  }
  run_.progress.add_to(command);
}

void ExplainedRowsOptions::check() const {
  if (!given()) return;
  is_json();  // refuses other endings
  rows_.check();
}

bool ExplainedRowsOptions::is_json() const {
  return format_for(words_, {OutputFormat::text, OutputFormat::json}, "--summary") ==
         OutputFormat::json;
}

int ExplainedRowsOptions::run(const Job& job, const Engine& engine, Model loaded) const {
  const ClassifierOptions reading = job.text.classifier_options();
  const LabelSet labels = job.zero_shot.labels(loaded, reading, job.console);
  const auto input = rows_.open(job.console);
  const ModelMarks marks(loaded);
  check_summary(words_, is_json() ? kJsonSummary : "rows   ", job.output);
  WholeRowFinder finder((RowShape()));
  RowResult result =
      run_.resume.open(job.output, finder, marks, {rows_, *input, engine.arithmetic()});
  watch_signals();
  if (result.is_finished()) {
    job.console.note(job.output.path() + " is already complete");
    return sum_up(job.output, kSuccess);
  }
  const auto begun = std::chrono::steady_clock::now();
  RowsAhead ahead(*input, kFewTexts);
  const Model ready = engine.ready(std::move(loaded), Workload::many);
  const WordExplainer explainer(job.zero_shot.classifier(ready, reading), job.method.explaining());
  ExplanationLines writer(labels, job.output.ascii());
  const ExplainingScorer scorer(explainer, writer);
  const int status =
      run_rows(run_, job.console, result,
               {scorer, engine.threads(), ready, marks, begun, *input, ahead, writer});
  return sum_up(job.output, status);
}

int ExplainedRowsOptions::sum_up(const OutputOptions& output, int status) const {
  if (words_.empty() || status > kSignalBase) return status;
  RowReading reading;
  reading.format = RowFormat::jsonl;
  reading.compression = compression_of(output.path());
  reading.keep = true;
  OpenRows rows(output.path(), reading);
  ExplanationSummary summary;
  while (const std::optional<Row> row = rows.next()) summary.add(*row);
  std::string document = is_json() ? "" : summary.text();
  if (document.empty()) {
    JsonWriter json(document, output.ascii());
    summary.write(json);
    document += '\n';
  }
  if (caught_signal() != 0) {  // not all rows may be in it
    complain("stopped before the summary was written; use --resume to write it");
    return kSignalBase + caught_signal();
  }
  if (words_ == "-") {
    Output standard(STDOUT_FILENO, "standard output");
    standard.write(document);
    standard.flush();
  } else {
    write_summary(words_, document);
  }
  return status;
}

}  // namespace headlight
