#include "metrics/fitting.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace headlight {
namespace {

/// The minimum of the unimodal function `f` between `low` and `high`.
double least_place(const std::function<double(double)>& f, double low, double high) {
  constexpr double kPrecision = 1e-7;
  constexpr double kShrink = std::numbers::phi - 1.0;
  double left = high - kShrink * (high - low);
  double right = low + kShrink * (high - low);
  double at_left = f(left);
  double at_right = f(right);
  while (high - low > kPrecision) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kShrink * (high - low);
      at_left = f(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kShrink * (high - low);
      at_right = f(right);
    }
  }
  return (low + high) / 2.0;
}

/// `loss` of a temperature.
std::optional<TemperatureFit> fit(const std::function<double(double)>& loss) {
  constexpr double kNearBound = 1e-3;  // of ln T
  const double low = std::log(kLeastTemperature);
  const double high = std::log(kMostTemperature);
  const double place = least_place([&](double x) { return loss(std::exp(x)); }, low, high);
  if (place - low < kNearBound || high - place < kNearBound) return std::nullopt;
  const double temperature = std::exp(place);
  return TemperatureFit{temperature, loss(1.0), loss(temperature)};
}

/// −ln softmax(logits / T) of one label.
double softmax_loss(std::span<const float> logits, std::size_t gold, double temperature) {
  const double top = *std::max_element(logits.begin(), logits.end());
  double sum = 0.0;
  for (const float logit : logits) sum += std::exp((logit - top) / temperature);
  return std::log(sum) - (logits[gold] - top) / temperature;
}

/// −ln sigmoid(x) for a gold label, −ln (1 − sigmoid(x)) for any other.
double sigmoid_loss(double x, bool gold) {
  const double against = gold ? -x : x;
  return std::max(against, 0.0) + std::log1p(std::exp(-std::abs(against)));
}

}  // namespace

std::optional<TemperatureFit> fit_temperature(const ScoreTable& logits,
                                              std::span<const std::size_t> gold) {
  return fit([&](double temperature) {
    double sum = 0.0;
    for (std::size_t row = 0; row < gold.size(); ++row) {
      sum += softmax_loss(logits.row(row), gold[row], temperature);
    }
    return sum / static_cast<double>(gold.size());
  });
}

std::optional<TemperatureFit> fit_temperature(const ScoreTable& logits,
                                              const std::vector<bool>& gold) {
  return fit([&](double temperature) {
    double sum = 0.0;
    for (std::size_t i = 0; i < gold.size(); ++i) {
      sum += sigmoid_loss(logits.values[i] / temperature, gold[i]);
    }
    return sum / static_cast<double>(gold.size());
  });
}

std::optional<ThresholdFit> fit_threshold(const std::vector<float>& scores,
                                          const std::vector<bool>& gold) {
  const auto support = static_cast<std::size_t>(std::count(gold.begin(), gold.end(), true));
  if (support == 0) return std::nullopt;
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  ThresholdFit best;
  std::size_t found = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (gold[order[i]]) ++found;
    const bool tied = i + 1 < order.size() && scores[order[i + 1]] == scores[order[i]];
    if (tied) continue;
    const double f1 = 2.0 * static_cast<double>(found) / static_cast<double>(i + 1 + support);
    if (f1 > best.f1) best = {scores[order[i]], f1};
  }
  return best;
}

}  // namespace headlight
