// Measures of scores: log loss, Brier score and area under the ROC curve of probabilities, errors
// and correlations of a regression's values. Everything is float64.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
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

struct RegressionMeasures {
  double mean_squared_error = 0.0;
  double mean_absolute_error = 0.0;
  std::optional<double> pearson;   // empty if all values of one side are equal
  std::optional<double> spearman;  // Pearson's correlation of the ranks; ties share a rank
};

/// Both have the same size, at least 1.
RegressionMeasures regression_measures(const std::vector<double>& values,
                                       const std::vector<double>& gold);

/// The rank of each value, from 1; equal values share the mean of their ranks.
template <typename Number>
std::vector<double> ranks_of(const std::vector<Number>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double shared = static_cast<double>(first + 1 + last) / 2.0;
    for (std::size_t i = first; i < last; ++i) ranks[order[i]] = shared;
    first = last;
  }
  return ranks;
}

}  // namespace headlight
