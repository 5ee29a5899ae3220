// How good a model is on the development rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "encoder/batch.h"
#include "encoder/scratch.h"
#include "gradient/parameters.h"
#include "metrics/evaluation.h"
#include "model/calibration.h"
#include "training/course/row_losses.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

struct DevelopmentScore {
  /// "accuracy"; "micro_f1" of a multi-label model; "r2" of a regression; "cosine" with the
  /// teacher's vectors of a model without labels.
  std::string name;
  double score = 0.0;  // higher is better
  double loss = 0.0;   // mean over the rows of known labels: log loss of the labels, squared error,
                       // or 1 - cosine
};

/// Whether `score` is better than `than`: a higher score, or the same score and a lower loss.
bool is_better(const DevelopmentScore& score, const DevelopmentScore& than);

struct DevelopmentFigures {
  LabelSet labels;
  std::vector<float> logits;  // [n, c]
  /// As row_loss(), with the calibration of `evaluation`: of the rows of known labels, the first.
  std::vector<double> losses;
  /// Each fold of the rows has the calibration that is fitted to the other folds.
  Evaluation evaluation;
  /// Fitted to all rows, unless these cannot choose. Without a temperature if none is best; with
  /// thresholds if rows can have several labels, and the micro F1 of `evaluation` is higher with
  /// than without. Few rows of a label give it a poor threshold.
  Calibration calibration;
  bool is_calibrated = false;         // whether the rows can choose
  std::optional<Evaluation> earlier;  // of the rows of DataOptions::earlier among them
};

/// The figures of logits [n, c] for n rows, n > 0. Rows with the same key are in one of five folds
/// (folds_of()), and count once in intervals.
DevelopmentFigures development_figures(const LabelSet& labels, const std::vector<float>& logits,
                                       const std::vector<LabelledRow>& rows);

/// Scores the development rows with the current weights. All arguments must outlive it.
class Development {
 public:
  Development(const Parameters& parameters, const std::vector<LabelledRow>& rows,
              const RowLossOptions& options)
      : parameters_(parameters), rows_(rows), options_(options) {}

  /// There must be rows. The result does not depend on the number of threads.
  DevelopmentScore score();
  /// The logits [rows, c], or the vectors [rows, d] of a model without labels; means over windows.
  std::vector<float> outputs() const;

 private:
  /// The first rows from `begin` to `end` whose losses are computed together.
  RowPointers some_rows(std::size_t begin, std::size_t end) const;
  double loss_of(const RowPointers& rows, ConstMatrix outputs, const RowLossOptions& options);

  const Parameters& parameters_;
  const std::vector<LabelledRow>& rows_;
  const RowLossOptions& options_;
  Buffer unused_;
};

}  // namespace headlight
