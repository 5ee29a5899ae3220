#include "commands/evaluate_entities.h"

#include <string>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "commands/command.h"
#include "metrics/entity_evaluation.h"
#include "report/evaluation/entity_evaluation_report.h"
#include "rows/predict.h"

namespace headlight {
namespace {

/// Adds scored rows with known entities to an evaluation. All references must outlive it.
class EntityMeasures {
 public:
  EntityMeasures(const GoldReader& labels, const std::string& file, EntityEvaluator& evaluator)
      : labels_(labels), file_(file), evaluator_(evaluator) {}

  void add(const Row& row, const Prediction& prediction) {
    TextResult result = prediction;
    try {
      if (result.error.empty()) measure(row, prediction);
    } catch (const TextError& error) {
      result.error = error.line();
    }
    if (!result.error.empty()) evaluator_.add_error();
    errors_.add(row, result);
  }
  const ErrorCount& errors() const { return errors_; }

 private:
  void measure(const Row& row, const Prediction& prediction) {
    if (!row.label) throw TextError("has no correct entities or tags");
    const std::string& text = row.input.text;
    evaluator_.add(read_gold_entities(*row.label, labels_, text, file_), text, prediction);
  }

  const GoldReader& labels_;
  const std::string& file_;
  EntityEvaluator& evaluator_;
  ErrorCount errors_;
};

std::string document(const OutputOptions& output, const EntityEvaluation& evaluation) {
  if (output.format() == OutputFormat::text) return entity_evaluation_text(evaluation);
  return json_document(output.ascii(),
                       [&](JsonWriter& json) { write_entity_evaluation(json, evaluation); });
}

}  // namespace

int evaluate_entities(const EvaluateOptions& options, const Engine& engine, Model loaded) {
  options.token_labels.check(loaded);
  if (options.text.has_ids()) {
    throw UsageError("entities are compared in texts, but --ids gives none");
  }
  const ClassifierOptions reading = options.text.classifier_options();
  require_vocabulary(loaded, reading);
  const auto input = options.rows.open_tagged(options.console);
  watch_signals();  // so that an unfinished file is removed
  Result result(options.output);
  EntityEvaluator evaluator(loaded.description.labels);
  LabelSet tags;
  tags.names = loaded.description.labels;
  const GoldReader labels = options.label_map.reader(tags, options.console);
  EntityMeasures measures(labels, options.rows.file(), evaluator);
  RowsAhead ahead(*input, kFewTexts);
  const Model ready = engine.ready(std::move(loaded), workload_of(ahead));
  CountedRows rows(ahead, *input);
  {
    Progress progress(options.progress.style(options.console), "row");
    const auto classifier = options.token_labels.classifier(ready, reading, std::nullopt);
    const auto add = [&](const ScoredRow<Prediction>& scored) {
      measures.add(scored.row, scored.result);
      progress.update(rows.done(measures.errors()));
    };
    score_rows<Prediction>({engine.threads()}, rows, predict_with(*classifier), {add});
  }
  if (caught_signal() != 0) return kSignalBase + caught_signal();
  result.output().write(document(options.output, evaluator.measure()));
  result.finish();
  measures.errors().say(options.console, "row");
  return options.row_errors_ok ? kSuccess : measures.errors().status();
}

}  // namespace headlight
