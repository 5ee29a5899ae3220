#include "commands/evaluate_entities.h"

#include <string>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "metrics/entity_evaluation.h"
#include "report/evaluation/evaluation_view.h"
#include "rows/row_scorer.h"
#include "rows/scoring.h"

namespace headlight {
namespace {

/// Adds scored rows with known entities to an evaluation. All references must outlive it.
class EntitySink : public RowSink {
 public:
  EntitySink(const GoldReader& labels, const std::string& file, EntityEvaluator& evaluator)
      : labels_(labels), file_(file), evaluator_(evaluator) {}

  void write(const ScoredRow& scored) override {
    ScoredRow row = scored;
    if (row.prediction.error.empty()) measure(row);
    if (!row.prediction.error.empty()) evaluator_.add_error();
    errors_.add(row);
  }
  void flush() override {}
  const ErrorCount& errors() const { return errors_; }

 private:
  void measure(ScoredRow& row) {
    try {
      if (!row.row.label) throw TextError("has no correct entities or tags");
      const std::string& text = row.row.input.text;
      evaluator_.add(read_gold_entities(*row.row.label, labels_, text, file_), text,
                     row.prediction);
    } catch (const TextError& error) {
      row.prediction.error = error.line();
    }
  }

  const GoldReader& labels_;
  const std::string& file_;
  EntityEvaluator& evaluator_;
  ErrorCount errors_;
};

std::string document(const OutputOptions& output, const EntityEvaluation& evaluation) {
  if (output.format() == OutputFormat::text) return entity_evaluation_text(evaluation);
  std::string document;
  JsonWriter json(document, output.ascii());
  write_entity_evaluation(json, evaluation);
  return document + '\n';
}

}  // namespace

int evaluate_entities(const EntityEvaluationJob& job, const Engine& engine, Model loaded) {
  job.token_labels.check(loaded);
  const ClassifierOptions reading = job.text.classifier_options();
  require_vocabulary(loaded, reading);
  const auto input = job.rows.open_tagged(job.console);
  watch_signals();  // so that an unfinished file is removed
  Result result(job.output);
  EntityEvaluator evaluator(loaded.description.labels);
  LabelSet tags;
  tags.names = loaded.description.labels;
  const GoldReader labels = job.label_map.reader(tags, job.console);
  const std::string file = job.rows.file();
  EntitySink sink(labels, file, evaluator);
  RowsAhead ahead(*input, kFewTexts);
  const Model ready = engine.ready(std::move(loaded), workload_of(ahead));
  CountedRows rows(ahead, *input);
  Progress progress(job.progress.style(job.console), "row");
  ProgressSink shown(sink, sink.errors(), rows, progress);
  const auto classifier = job.token_labels.classifier(ready, reading, std::nullopt);
  score_rows(TextScorer(*classifier), engine.threads(), rows, shown);
  if (caught_signal() != 0) return kSignalBase + caught_signal();
  result.output().write(document(job.output, evaluator.measure()));
  result.finish();
  sink.errors().say(job.console, "row");
  return job.row_errors_ok ? kSuccess : sink.errors().status();
}

}  // namespace headlight
