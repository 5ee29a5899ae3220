// Everything that is measured on the labelled rows of a file. START HERE in this room.
#pragma once

#include <cstddef>
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

/// What does not apply, or is not defined, is nothing or empty.
struct Evaluation {
  std::size_t rows = 0;    // with those that are errors
  std::size_t errors = 0;  // not measured
  std::optional<double> accuracy;
  std::optional<Interval> accuracy_interval;
  std::optional<AverageF1> f1;
  std::optional<double> log_loss;
  std::optional<double> brier;
  std::optional<double> ece;
  std::optional<double> auc;
  std::optional<double> subset_accuracy;
  std::optional<double> hamming_loss;
  std::vector<LabelMeasures> labels;
  std::optional<ConfusionMatrix> confusion;
  std::vector<CalibrationBin> calibration;
  std::vector<CoveragePoint> coverage;
  std::optional<RegressionMeasures> regression;
  std::vector<HeadStatistics> attention;
  std::optional<TemperatureFit> temperature;
  std::vector<std::optional<ThresholdFit>> thresholds;  // a label
  std::vector<std::string> notes;                       // what was not defined, a line each
};

/// How sure a verdict is that is wrong, and nothing for one that is right: the probability of the
/// label (its logit where there is none); with any number of labels that of the surest mistake; of
/// a regression how far it is off.
std::optional<double> wrongness(const LabelSet& labels, const Gold& gold,
                                const Prediction& prediction);

/// Keeps the scores of every row, 4 bytes a label, because curves need them all.
class Evaluator {
 public:
  /// With `keep_logits` a temperature can be fitted.
  Evaluator(LabelSet labels, bool keep_logits);

  void add(const Gold& gold, const Prediction& prediction);
  /// A row that cannot be measured.
  void add_error() { ++errors_; }

  Evaluation measure() const;

  /// Of the activation that makes probabilities of the logits.
  std::optional<TemperatureFit> fit_temperature(ScoreActivation activation) const;
  /// A threshold a label, for scores at `temperature` (nothing: as they were added).
  std::vector<std::optional<ThresholdFit>> fit_thresholds(std::optional<double> temperature) const;

 private:
  void measure_single(Evaluation& evaluation) const;
  void measure_multiple(Evaluation& evaluation) const;
  std::vector<bool> flags() const;
  std::vector<std::size_t> numbers() const;

  LabelSet labels_;
  bool keep_logits_;
  std::size_t rows_ = 0;  // measured
  std::size_t errors_ = 0;
  std::vector<Gold> gold_;
  std::vector<Verdict> verdicts_;  // where there are probabilities and one label a row
  std::vector<double> values_;     // of a regression
  ScoreTable scores_;
  ScoreTable logits_;
  ConfusionMatrix confusion_;
  MultiLabelCounts counts_;
};

}  // namespace headlight
