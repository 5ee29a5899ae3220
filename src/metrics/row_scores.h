// Scores of rows by their logits alone, to choose by during a training. An Evaluator says more.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "classifier/prediction.h"
#include "metrics/gold.h"

namespace headlight {

/// Whether the labels of logits [c] are the gold ones, with a threshold of 0.5 for several labels.
bool is_correct(std::span<const float> logits, const Gold& gold, ProblemType problem);

/// A mean over rows, by the name of its field.
struct RowScore {
  const char* name;
  double value;  // higher is better
};

/// "accuracy"; "micro_f1" of several labels; "r2" of a regression.
class RowScores {
 public:
  explicit RowScores(ProblemType problem) : problem_(problem) {}
  void add(std::span<const float> logits, const Gold& gold);
  /// There must be rows. `loss`: for a regression, their mean squared error.
  RowScore score(double loss) const;

 private:
  ProblemType problem_;
  std::size_t rows_ = 0;
  std::size_t right_ = 0;
  std::size_t predicted_ = 0;
  std::size_t actual_ = 0;
  std::vector<double> values_;
};

/// Shares of the variance of values that are explained, of which R² is the mean: 1 − squared error
/// / variance for each error.
std::vector<double> explained_shares(const std::vector<double>& squared_errors,
                                     const std::vector<double>& values);

}  // namespace headlight
