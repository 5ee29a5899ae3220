// Calibration on labelled rows without changing the weights: one temperature for the logits, or one
// threshold per label.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "metrics/score_table.h"

namespace headlight {

struct TemperatureFit {
  double temperature = 1.0;
  double log_loss_before = 0.0;  // at temperature 1
  double log_loss_after = 0.0;
};

inline constexpr double kLeastTemperature = 0.05;
inline constexpr double kMostTemperature = 100.0;

/// The T that minimizes the log loss of softmax(logits / T) (Guo et al. 2017, §4.2), by
/// golden-section search on ln T. Empty if the minimum is at a bound: if all rows are correct, T
/// goes to 0; if the predictions are random, T goes to infinity.
std::optional<TemperatureFit> fit_temperature(const ScoreTable& logits,
                                              std::span<const std::size_t> gold);
/// The same for sigmoid(logits / T), with one flag per number of the table.
std::optional<TemperatureFit> fit_temperature(const ScoreTable& logits,
                                              const std::vector<bool>& gold);

struct ThresholdFit {
  float threshold = 0.0F;  // equal to one of the scores
  double f1 = 0.0;
};

/// The threshold with the largest F1, the highest one if several are equal. Empty if no row has the
/// label.
std::optional<ThresholdFit> fit_threshold(const std::vector<float>& scores,
                                          const std::vector<bool>& gold);

}  // namespace headlight
