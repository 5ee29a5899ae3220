#include "measuring/row_measures.h"

#include <utility>

namespace headlight {

RowMeasures::RowMeasures(const MeasuringPlan& plan, MeasuringWatch& watch)
    : plan_(plan), watch_(watch), evaluator_(plan.labels, plan.fits.any()) {
  evaluator_.rank_at(plan.at);
  if (!plan.slices_by.empty()) slices_.emplace(plan.labels, plan.slices_by);
}

void RowMeasures::add(const Row& row, const Prediction& prediction) {
  if (prediction.no_label) {
    Prediction unknown;
    unknown.error = "has nothing that the model knows";
    return add(row, unknown);
  }
  ++rows_;
  watch_.row(row, prediction);
  if (!prediction.error.empty()) {
    evaluator_.add_error();
    if (slices_) slices_->add_error(row);
    return;
  }
  const Gold gold = gold_of(row);
  evaluator_.add(gold, prediction);
  if (slices_) slices_->add(row, gold, prediction);
  if (plan_.keeps_cells && plan_.labels.problem_type == ProblemType::single_label) {
    cells_.add(plan_.labels, nearest_gold(plan_.labels, gold, prediction), row, prediction);
  }
  watch_.judged(gold, row, prediction);
}

void RowMeasures::add_to(Measured& found) const {
  found.labels = plan_.labels;
  std::vector<HeadStatistics> attention = std::move(found.evaluation.attention);
  found.evaluation = evaluator_.measure();
  found.evaluation.attention = std::move(attention);
  if (slices_) found.slices = slices_->measure(plan_.file);
  found.cell_rows = cells_;
}

ClassifierOptions in_one_pass(ClassifierOptions reading) {
  if (!reading.long_texts) reading.long_texts = LongTexts::truncate;
  return reading;
}

}  // namespace headlight
