// How good a training is beside others that scored the same rows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "metrics/confidence.h"
#include "training/course/development.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

struct CandidateScore {
  /// "accuracy"; "subset_accuracy" of several labels; "r2" of a regression.
  std::string name;
  double value = 0.0;  // higher is better
  std::optional<Interval> interval;
  std::optional<double> log_loss;
  std::vector<double> losses;  // of the rows: log losses or squared errors
  std::size_t distinct = 0;    // texts that are not similar
};

/// Of the figures of these rows.
CandidateScore candidate_score(const DevelopmentFigures& figures,
                               const std::vector<LabelledRow>& rows);

/// Whether the mean loss is lower than that of `than` by more than the standard error of the mean
/// difference of the rows. A loss says more than whether a row is right: it also tells by how much.
/// Repeated and similar texts count once.
bool is_clearly_better(const CandidateScore& score, const CandidateScore& than);

/// "accuracy 92.8 (91.1–94.3) %, log loss 0.2104"
std::string score_text(const CandidateScore& score);

}  // namespace headlight
