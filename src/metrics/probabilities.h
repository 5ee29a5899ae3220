// Measures of probabilities: log loss, Brier score and area under the ROC curve. Everything is
// float64.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "metrics/score_table.h"

namespace headlight {

/// The mean of −ln p, where p is the probability of a row's gold label, clipped to 2⁻⁵² … 1 − 2⁻⁵²
/// as in scikit-learn.
double log_loss(const ScoreTable& probabilities, std::span<const std::size_t> gold);
/// The loss of each row.
std::vector<double> log_losses(const ScoreTable& probabilities, std::span<const std::size_t> gold);
/// The same for multi-label models, with one flag per number of the table: the mean over all
/// numbers.
double log_loss(const ScoreTable& probabilities, const std::vector<bool>& gold);

/// The mean squared difference from the ideal probabilities (1 for the gold label, else 0): of
/// label 1 only if there are two labels, else summed over the labels.
double brier_score(const ScoreTable& probabilities, std::span<const std::size_t> gold);

/// The area under the ROC curve: the share of (positive, negative) pairs in which the positive
/// scores higher; ties count half. Empty if there are no positives or no negatives.
std::optional<double> roc_area(const std::vector<float>& scores, const std::vector<bool>& positive);

/// Of label 1 if there are two labels; else the unweighted mean of each label against the rest,
/// over the labels for which it is defined. Empty if there are none.
std::optional<double> roc_area(const ScoreTable& probabilities, std::span<const std::size_t> gold);
std::optional<double> roc_area(const ScoreTable& probabilities, const std::vector<bool>& gold);

}  // namespace headlight
