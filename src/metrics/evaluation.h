// All measures on the labelled rows of a file. START HERE in this room.
//
// Example:
//   const LabelSet labels = {{"no", "yes"}, ProblemType::single_label, true, {}};
//   Evaluator evaluator(labels, /*keep_logits=*/false);
//   Prediction yes;  // of a classifier
//   yes.scores = {0.25F, 0.75F};
//   yes.best = 1;
//   evaluator.add(GoldReader(labels).read("yes"), yes);
//   const std::vector<Measure> found = evaluator.measure().measures;  // accuracy 1, macro F1 1, …
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classifier/prediction.h"
#include "inside/attention_statistics.h"
#include "metrics/confidence.h"
#include "metrics/counts.h"
#include "metrics/fitting.h"
#include "metrics/gold.h"
#include "metrics/measure.h"
#include "metrics/score_table.h"

namespace headlight {

/// Of the k best labels of each row, over all rows that have labels: the share of right ones among
/// those given, and among all that are right, as fastText's `test` counts them.
struct LabelsAt {
  std::size_t k = 0;
  double precision = 0.0;
  double recall = 0.0;
};

/// Fields that do not apply are empty.
struct Evaluation {
  std::size_t rows = 0;    // including error rows
  std::size_t errors = 0;  // not measured
  /// Rows with labels that the model lacks: wrong, and left out of what needs a probability of the
  /// gold label (log loss, calibration, ROC, fits).
  std::size_t unknown_label_rows = 0;
  TextSize read;  // the tokens of the measured rows
  /// These labels. They are the last of `labels` and of the rows of `confusion`.
  std::vector<std::string> unknown_labels;
  /// Only those that apply and are defined. The first says how good the model is: its accuracy, its
  /// subset accuracy, or its mean squared error.
  std::vector<Measure> measures;
  std::vector<LabelMeasures> labels;
  std::optional<ConfusionMatrix> confusion;
  std::vector<CalibrationBin> calibration;
  std::vector<CoveragePoint> coverage;
  std::vector<LabelsAt> at;
  std::vector<HeadStatistics> attention;
  std::optional<TemperatureFit> temperature;
  std::vector<std::optional<ThresholdFit>> thresholds;  // per label
  std::vector<std::string> notes;  // one line per undefined measure, and on lists of labels

  const Measure* find(std::string_view field) const { return find_measure(measures, field); }
};

/// The names of `evaluation.labels`.
std::vector<std::string> measured_names(const LabelSet& labels, const Evaluation& evaluation);

/// The numbers of the labels that a prediction gives, ascending.
std::vector<std::size_t> given_labels(const LabelSet& labels, const Prediction& prediction);

/// What a prediction is measured by: `gold`; of a row with several labels, for a single-label
/// model, the label that the prediction gives if it is one of them, else the first known one.
Gold nearest_gold(const LabelSet& labels, const Gold& gold, const Prediction& prediction);

/// How confident a wrong prediction is: the probability of the predicted label, or its logit if
/// there are no probabilities; for multi-label models the largest over all wrong labels, 1 for
/// one that the model lacks; for a regression the absolute error. Empty if the prediction is
/// correct.
std::optional<double> wrongness(const LabelSet& labels, const Gold& gold,
                                const Prediction& prediction);

/// The loss of one row: log loss, or the squared error of a value. 0 without probabilities.
double row_loss(const LabelSet& labels, const Gold& gold, const Prediction& prediction);

/// Repeated texts (Prediction::key) count once in intervals. Keeps the scores of every row, 4 bytes
/// per label, because ROC curves need all of them.
class Evaluator {
 public:
  /// fit_temperature() needs `keep_logits`.
  Evaluator(LabelSet labels, bool keep_logits);

  void add(const Gold& gold, const Prediction& prediction);
  /// [c] for the rows that are added from now on; empty: kDefaultThreshold.
  void use_thresholds(std::vector<float> thresholds) { labels_.thresholds = std::move(thresholds); }
  /// Counts a row that cannot be measured.
  void add_error() { ++errors_; }
  /// Of the rows that are added from now on, Evaluation::at for each k.
  void rank_at(const std::vector<std::size_t>& ks);

  Evaluation measure() const;
  /// The number of different texts.
  std::size_t distinct() const { return count_distinct(texts_); }

  /// `activation` turns logits into probabilities.
  std::optional<TemperatureFit> fit_temperature(ScoreActivation activation) const;
  /// One threshold per label, for scores at `temperature` (empty: for the scores as added).
  std::vector<std::optional<ThresholdFit>> fit_thresholds(std::optional<double> temperature) const;

 private:
  void measure_single(Evaluation& evaluation) const;
  void measure_multiple(Evaluation& evaluation) const;
  std::size_t number_of_unknown(const std::string& label);
  void count_ranked(const Gold& gold, const Prediction& prediction);
  std::vector<bool> flags() const;
  std::vector<std::size_t> numbers() const;

  LabelSet labels_;
  bool keep_logits_;
  std::size_t rows_ = 0;  // measured
  std::size_t errors_ = 0;
  std::size_t unknown_rows_ = 0;
  std::size_t several_rows_ = 0;
  TextSize read_;
  std::map<std::string, std::size_t> unknown_;  // numbers of labels beyond the model's
  std::vector<std::uint64_t> texts_;            // the key of each row; its number if it has none
  // Of the rows with known labels:
  std::vector<Gold> gold_;
  std::vector<Verdict> verdicts_;  // for single-label models with probabilities
  std::vector<double> values_;     // regression only
  ScoreTable scores_;
  ScoreTable logits_;
  ConfusionMatrix confusion_;
  MultiLabelCounts counts_;

  struct RankedLabels {
    std::size_t given = 0;
    std::size_t right = 0;
  };
  std::map<std::size_t, RankedLabels> at_;  // by k
  std::size_t asked_ = 0;                   // labels of all rows
};

}  // namespace headlight
