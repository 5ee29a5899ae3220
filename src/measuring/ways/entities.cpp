#include "base/error.h"
#include "measuring/row_measures.h"
#include "measuring/ways/ways.h"
#include "rows/predict.h"

namespace headlight {

EntityEvaluation measure_entities(const TextClassifier& classifier, RowSource& rows,
                                  const EntityPlan& plan, MeasuringWatch& watch) {
  EntityEvaluator evaluator(plan.gold.names());
  std::size_t count = 0;
  const auto add = [&](const ScoredRow<Prediction>& scored) {
    const auto& [row, prediction] = scored;
    TextResult outcome = static_cast<const TextResult&>(prediction);
    try {
      if (outcome.error.empty()) {
        if (!row.label) throw TextError("has no correct entities or tags");
        evaluator.add(read_gold_entities(*row.label, plan.gold, row.input.text, plan.file),
                      row.input.text, prediction);
      }
    } catch (const TextError& error) {
      outcome.error = error.line();
    }
    if (!outcome.error.empty()) evaluator.add_error();
    ++count;
    watch.row(row, outcome);
  };
  score_rows<Prediction>({plan.threads}, rows, predict_with(classifier), {add});
  if (is_interrupted()) return {};
  if (count == 0) throw Error(plan.file, "has no rows to evaluate");
  return evaluator.measure();
}

}  // namespace headlight
