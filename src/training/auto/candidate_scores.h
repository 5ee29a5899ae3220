// How good a training is beside others that scored the same rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/confidence.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

struct CandidateScore {
  /// "accuracy"; "subset_accuracy" of several labels; "r2" of a regression.
  const char* name = "";
  double value = 0.0;  // higher is better
  std::optional<Interval> interval;
  std::vector<double> rows;  // what each row adds; `value` is their mean
  std::size_t distinct = 0;  // different texts
};

/// Of logits [n, c] for n rows, n > 0.
CandidateScore candidate_score(const LabelSet& labels, const std::vector<float>& logits,
                               const std::vector<LabelledRow>& rows);

/// Whether `score` is higher than `than` by more than the standard error of the mean difference of
/// the rows. Repeated texts count once.
bool is_clearly_better(const CandidateScore& score, const CandidateScore& than);

/// "accuracy 92.8 % (91.1–94.3 %)"
std::string score_text(const CandidateScore& score);

}  // namespace headlight
