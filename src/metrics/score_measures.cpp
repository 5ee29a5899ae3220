#include "metrics/score_measures.h"

#include <cmath>
#include <limits>

namespace headlight {
namespace {

double minus_log(double probability) {
  constexpr double kLeast = std::numeric_limits<double>::epsilon();
  return -std::log(std::clamp(probability, kLeast, 1.0 - kLeast));
}

double square(double x) { return x * x; }

std::vector<double> centred(std::vector<double> values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  for (double& value : values) value -= mean;
  return values;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool all_the_same(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
}

std::optional<double> correlation(const std::vector<double>& a, const std::vector<double>& b) {
  if (all_the_same(a) || all_the_same(b)) return std::nullopt;
  const auto x = centred(a);
  const auto y = centred(b);
  return std::clamp(dot(x, y) / std::sqrt(dot(x, x)) / std::sqrt(dot(y, y)), -1.0, 1.0);
}

}  // namespace

double log_loss(const ScoreTable& probabilities, std::span<const std::size_t> gold) {
  const auto losses = log_losses(probabilities, gold);
  return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(gold.size());
}

std::vector<double> log_losses(const ScoreTable& probabilities, std::span<const std::size_t> gold) {
  std::vector<double> losses;
  losses.reserve(gold.size());
  for (std::size_t row = 0; row < gold.size(); ++row) {
    losses.push_back(minus_log(probabilities.row(row)[gold[row]]));
  }
  return losses;
}

double log_loss(const ScoreTable& probabilities, const std::vector<bool>& gold) {
  double sum = 0.0;
  for (std::size_t i = 0; i < gold.size(); ++i) {
    const double probability = probabilities.values[i];
    sum += minus_log(gold[i] ? probability : 1.0 - probability);
  }
  return sum / static_cast<double>(gold.size());
}

double brier_score(const ScoreTable& probabilities, std::span<const std::size_t> gold) {
  const std::size_t first = probabilities.labels == 2 ? 1 : 0;
  double sum = 0.0;
  for (std::size_t row = 0; row < gold.size(); ++row) {
    for (std::size_t label = first; label < probabilities.labels; ++label) {
      sum += square(probabilities.row(row)[label] - (gold[row] == label ? 1.0 : 0.0));
    }
  }
  return sum / static_cast<double>(gold.size());
}

std::optional<double> roc_area(const std::vector<float>& scores,
                               const std::vector<bool>& positive) {
  const auto ranks = ranks_of(scores);
  double positives = 0.0;
  double rank_sum = 0.0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!positive[i]) continue;
    positives += 1.0;
    rank_sum += ranks[i];
  }
  const double negatives = static_cast<double>(scores.size()) - positives;
  if (positives == 0.0 || negatives == 0.0) return std::nullopt;
  return (rank_sum - positives * (positives + 1.0) / 2.0) / (positives * negatives);
}

std::optional<double> roc_area(const ScoreTable& probabilities, std::span<const std::size_t> gold) {
  std::vector<bool> flags(probabilities.values.size());
  std::vector<bool> is_second(gold.size());
  for (std::size_t row = 0; row < gold.size(); ++row) {
    flags[row * probabilities.labels + gold[row]] = true;
    is_second[row] = gold[row] == 1;
  }
  return probabilities.labels == 2 ? roc_area(probabilities.column(1), is_second)
                                   : roc_area(probabilities, flags);
}

std::optional<double> roc_area(const ScoreTable& probabilities, const std::vector<bool>& gold) {
  double sum = 0.0;
  std::size_t defined = 0;
  std::vector<bool> positive(probabilities.rows());
  for (std::size_t label = 0; label < probabilities.labels; ++label) {
    for (std::size_t row = 0; row < positive.size(); ++row) {
      positive[row] = gold[row * probabilities.labels + label];
    }
    const auto area = roc_area(probabilities.column(label), positive);
    if (!area) continue;
    sum += *area;
    ++defined;
  }
  if (defined == 0) return std::nullopt;
  return sum / static_cast<double>(defined);
}

RegressionMeasures regression_measures(const std::vector<double>& values,
                                       const std::vector<double>& gold) {
  RegressionMeasures measures;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = values[i] - gold[i];
    measures.mean_squared_error += off * off;
    measures.mean_absolute_error += std::abs(off);
  }
  measures.mean_squared_error /= static_cast<double>(values.size());
  measures.mean_absolute_error /= static_cast<double>(values.size());
  measures.pearson = correlation(values, gold);
  measures.spearman = correlation(ranks_of(values), ranks_of(gold));
  return measures;
}

}  // namespace headlight
