// All measures on the labelled rows of a file. START HERE in this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "classifier/prediction.h"
#include "metrics/attention_statistics.h"
#include "metrics/confidence.h"
#include "metrics/counts.h"
#include "metrics/fitting.h"
#include "metrics/gold.h"
#include "metrics/regression.h"
#include "metrics/score_table.h"

namespace headlight {

/// Fields that do not apply or are undefined are empty.
struct Evaluation {
  std::size_t rows = 0;    // including error rows
  std::size_t errors = 0;  // not measured
  std::optional<double> accuracy;
  std::optional<Interval> accuracy_interval;
  std::optional<AverageF1> f1;
  std::optional<double> log_loss;
  std::optional<Interval> log_loss_interval;  // single-label models only
  std::optional<double> brier;
  std::optional<double> ece;
  std::optional<double> auc;
  std::optional<double> subset_accuracy;
  std::optional<Interval> subset_accuracy_interval;
  std::optional<double> hamming_loss;
  std::vector<LabelMeasures> labels;
  std::optional<ConfusionMatrix> confusion;
  std::vector<CalibrationBin> calibration;
  std::vector<CoveragePoint> coverage;
  std::optional<RegressionMeasures> regression;
  std::vector<HeadStatistics> attention;
  std::optional<TemperatureFit> temperature;
  std::vector<std::optional<ThresholdFit>> thresholds;  // per label
  std::vector<std::string> notes;                       // one line per undefined measure
};

/// How confident a wrong prediction is: the probability of the predicted label, or its logit if
/// there are no probabilities; for multi-label models the largest over all wrong labels; for a
/// regression the absolute error. Empty if the prediction is correct.
std::optional<double> wrongness(const LabelSet& labels, const Gold& gold,
                                const Prediction& prediction);

/// Repeated texts (Prediction::key) count once in intervals. Keeps the scores of every row, 4 bytes
/// per label, because ROC curves need all of them.
class Evaluator {
 public:
  /// fit_temperature() needs `keep_logits`.
  Evaluator(LabelSet labels, bool keep_logits);

  void add(const Gold& gold, const Prediction& prediction);
  /// Counts a row that cannot be measured.
  void add_error() { ++errors_; }

  Evaluation measure() const;

  /// `activation` turns logits into probabilities.
  std::optional<TemperatureFit> fit_temperature(ScoreActivation activation) const;
  /// One threshold per label, for scores at `temperature` (empty: for the scores as added).
  std::vector<std::optional<ThresholdFit>> fit_thresholds(std::optional<double> temperature) const;

 private:
  void measure_single(Evaluation& evaluation) const;
  void measure_multiple(Evaluation& evaluation) const;
  std::vector<bool> flags() const;
  std::vector<std::size_t> numbers() const;
  std::size_t distinct() const;

  LabelSet labels_;
  bool keep_logits_;
  std::size_t rows_ = 0;  // measured
  std::size_t errors_ = 0;
  std::vector<Gold> gold_;
  std::vector<std::uint64_t> texts_;  // the key of each; one of its own where it is not known
  std::vector<Verdict> verdicts_;     // for single-label models with probabilities
  std::vector<double> values_;        // regression only
  ScoreTable scores_;
  ScoreTable logits_;
  ConfusionMatrix confusion_;
  MultiLabelCounts counts_;
};

}  // namespace headlight
