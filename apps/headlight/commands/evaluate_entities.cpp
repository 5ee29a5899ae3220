#include "commands/evaluate_entities.h"

#include <string>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "commands/command.h"
#include "metrics/entity_evaluation.h"
#include "report/evaluation/evaluation_report.h"
#include "report/evaluation/evaluation_view.h"
#include "rows/predict.h"

namespace headlight {
namespace {

std::string document(const OutputOptions& output, const EntityEvaluation& evaluation) {
  if (output.format() == OutputFormat::text) return entity_evaluation_text(evaluation);
  return json_document(output.ascii(),
                       [&](JsonWriter& json) { write_entity_evaluation(json, evaluation); });
}

}  // namespace

int evaluate_entities(const EvaluateOptions& options, const Engine& engine, Model loaded) {
  options.token_labels.check(loaded);
  const ClassifierOptions reading = options.text.classifier_options();
  require_vocabulary(loaded, reading);
  const auto input = options.rows.open_tagged(options.console);
  watch_signals();  // so that an unfinished file is removed
  Result result(options.output);
  EntityEvaluator evaluator(loaded.description.labels);
  LabelSet tags;
  tags.names = loaded.description.labels;
  const GoldReader labels = options.label_map.reader(tags, loaded.place, options.console);
  RowsAhead ahead(*input, kFewTexts, input.get());
  const Model ready = engine.ready(std::move(loaded), workload_of(ahead));
  ErrorCount errors;
  {
    Progress progress(options.progress.style(options.console), "row");
    const auto classifier = options.token_labels.classifier(ready, reading, std::nullopt);
    const auto add = [&](const ScoredRow<Prediction>& scored) {
      const auto& [row, prediction] = scored;
      TextResult outcome = static_cast<const TextResult&>(prediction);
      try {
        if (outcome.error.empty()) {
          if (!row.label) throw TextError("has no correct entities or tags");
          evaluator.add(read_gold_entities(*row.label, labels, row.input.text, options.rows.file()),
                        row.input.text, prediction);
        }
      } catch (const TextError& error) {
        outcome.error = error.line();
      }
      if (!outcome.error.empty()) evaluator.add_error();
      errors.add(row, outcome);
      progress.update(ahead, errors);
    };
    score_rows<Prediction>({engine.threads()}, ahead, predict_with(*classifier), {add});
  }
  if (caught_signal() != 0) return kSignalBase + caught_signal();
  if (errors.rows() == 0) throw Error(options.rows.file(), "has no rows to evaluate");
  result.output().write(document(options.output, evaluator.measure()));
  result.finish();
  errors.say(options.console, "row");
  return options.row_errors_ok ? kSuccess : errors.status();
}

}  // namespace headlight
