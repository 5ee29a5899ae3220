#include "commands/measuring_sink.h"

#include "metrics/row_attention.h"

namespace headlight {

void MeasuringSink::write(const ScoredRow& scored) {
  errors_.add(scored);
  add_attention(attention_, scored);
  if (!scored.prediction.error.empty()) add_error(scored);
  if (!scored.row.error.empty()) return;
  const Gold gold = gold_.read(scored.row.label);
  if (scored.rival) measures_.comparison->add(scored.row, gold, scored.prediction, *scored.rival);
  if (!scored.prediction.error.empty()) return;
  measures_.evaluator.add(gold, scored.prediction);
  if (measures_.slices) measures_.slices->add(scored.row, gold, scored.prediction);
  if (measures_.ablation) measures_.ablation->add(gold, scored.prediction, scored.without);
  if (measures_.wrong_rows) measures_.wrong_rows->add(labels_, gold, scored);
}

void MeasuringSink::add_error(const ScoredRow& scored) {
  measures_.evaluator.add_error();
  if (measures_.slices) measures_.slices->add_error(scored.row);
  if (measures_.comparison && !scored.row.error.empty()) measures_.comparison->add_error();
}

EvaluationResults MeasuringSink::results(const std::string& file) const {
  EvaluationResults results;
  results.labels = labels_;
  results.evaluation = measures_.evaluator.measure();
  results.evaluation.attention = attention_.statistics();
  if (measures_.slices) results.slices = measures_.slices->measure(file);
  if (measures_.comparison) results.comparison = measures_.comparison->measure();
  if (measures_.ablation) results.ablation = measures_.ablation->measure();
  return results;
}

}  // namespace headlight
