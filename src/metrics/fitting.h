// What labelled rows teach about a model's probabilities without changing its weights: one
// temperature for its logits, or a threshold a label.
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

/// The T for which softmax(logits / T) gives the gold labels the least mean −ln (Guo et al. 2017,
/// §4.2), by golden section on ln T. Nothing where that is at a bound: rows that are all right ask
/// for ever less, rows that are right by chance for ever more.
std::optional<TemperatureFit> fit_temperature(const ScoreTable& logits,
                                              std::span<const std::size_t> gold);
/// The same for sigmoid(logits / T), a flag a number of the table.
std::optional<TemperatureFit> fit_temperature(const ScoreTable& logits,
                                              const std::vector<bool>& gold);

struct ThresholdFit {
  float threshold = 0.0F;  // one of the scores
  double f1 = 0.0;
};

/// The score from which on the label is to be given so that F1 is greatest; of equal ones the
/// highest. Nothing where no row has the label.
std::optional<ThresholdFit> fit_threshold(const std::vector<float>& scores,
                                          const std::vector<bool>& gold);

}  // namespace headlight
