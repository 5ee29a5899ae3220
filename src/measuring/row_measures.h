// The measures of every run, to which a way gives its rows.
#pragma once

#include <cstddef>
#include <optional>

#include "classifier/classifier.h"
#include "measuring/measure.h"
#include "rows/scoring.h"

namespace headlight {

class RowMeasures {
 public:
  /// Both must outlive it.
  RowMeasures(const MeasuringPlan& plan, MeasuringWatch& watch);

  void add(const Row& row, const Prediction& prediction);
  Gold gold_of(const Row& row) const { return plan_.gold.read(row.label); }

  /// What ways need of the run.
  const LabelSet& labels() const { return plan_.labels; }
  const GoldReader& gold() const { return plan_.gold; }
  std::size_t threads() const { return plan_.threads; }
  MeasuringWatch& watch() const { return watch_; }

  std::size_t rows() const { return rows_; }
  const Evaluator& evaluator() const { return evaluator_; }
  void add_to(Measured& found) const;

 private:
  const MeasuringPlan& plan_;
  MeasuringWatch& watch_;
  std::size_t rows_ = 0;  // with those that have an error
  Evaluator evaluator_;
  std::optional<SliceEvaluator> slices_;
  CellRows cells_;
};

/// For a way that cannot average windows: long texts are cut unless `reading` says something else.
ClassifierOptions in_one_pass(ClassifierOptions reading);

/// Scores all rows with `score` and gives each to `add`.
template <typename Result, typename Add>
void score_all(const RowMeasures& all, RowSource& rows, const ScoreTexts<Result>& score,
               const Add& add, std::size_t rows_at_once = RowPace().rows_at_once) {
  score_rows<Result>({all.threads(), rows_at_once}, rows, score, {add});
}

}  // namespace headlight
