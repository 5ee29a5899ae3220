#include "training/sparse/sparse_regression.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/hash.h"

namespace headlight {
namespace {

constexpr double kLeastLog = -16.0;  // less likely labels count as impossible
constexpr int kMostNewton = 50;

double probability_of_log(double log) { return log < kLeastLog ? 0.0 : std::exp(log); }
double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

/// z ≤ 0 with z + step · eᶻ = sum, from near it. Sets p to eᶻ.
double log_for(double z, double step, double sum, double& p) {
  constexpr double kClose = 1e-3;  // the next one is closer by its square
  const double most = std::min(sum, 0.0);
  p = 0.0;
  if (sum < kLeastLog) return sum;
  z = std::clamp(z, kLeastLog, most);
  for (int i = 0; i < kMostNewton; ++i) {
    p = std::exp(z);
    const double move = (sum - z - step * p) / (1.0 + step * p);
    const double next = std::min(z + move, most);
    const bool is_close = std::abs(next - z) < kClose;
    if (is_close) p *= 1.0 + (next - z) * (1.0 + (next - z) / 2.0);
    z = next;
    if (is_close) break;
  }
  return z;
}

/// logs z with zₖ + step · exp zₖ = sumsₖ − λ, for the λ with probabilities that add up to 1
/// (Lapin et al. 2016, "Loss Functions for Top-k Error", §3.2: Lambert's function). Their sum falls
/// with λ and is convex.
void solve_softmax(std::span<const double> sums, double step, std::span<double> logs) {
  constexpr double kClose = 1e-5;
  const auto best = std::ranges::max_element(sums) - sums.begin();
  const auto top = static_cast<std::size_t>(best);
  const double least = sums[top] - step;
  double lambda = std::max(least, sums[top] - logs[top] - step * std::exp(logs[top]));
  for (int i = 0; i < kMostNewton; ++i) {
    double all = 0.0;
    double slope = 0.0;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      double p = 0.0;
      logs[k] = log_for(logs[k], step, sums[k] - lambda, p);
      all += p;
      slope += p / (1.0 + step * p);
    }
    if (std::abs(all - 1.0) < kClose) return;
    lambda = std::max(least, slope > 0.0 ? lambda + (all - 1.0) / slope : least);
  }
}

/// u with u + step · σ(u) = sum, from near it.
double solve_sigmoid(double u, double step, double sum) {
  constexpr double kClose = 1e-6;
  double low = sum - step;
  double high = sum;
  u = std::clamp(u, low, high);
  for (int i = 0; i < kMostNewton; ++i) {
    const double p = sigmoid(u);
    const double rest = sum - u - step * p;
    (rest > 0.0 ? low : high) = u;
    double next = u + rest / (1.0 + step * p * (1.0 - p));
    if (next < low || next > high) next = (low + high) / 2.0;
    const bool is_close = std::abs(next - u) < kClose;
    u = next;
    if (is_close) break;
  }
  return u;
}

}  // namespace

SparseRegression::SparseRegression(const SparseRows& rows, std::span<const Gold> targets,
                                   std::vector<std::uint32_t> used,
                                   const HeadFittingOptions& options, std::uint64_t seed)
    : rows_(rows),
      targets_(targets),
      used_(std::move(used)),
      options_(options),
      seed_(seed),
      is_softmax_(options.problem_type == ProblemType::single_label && options.classes != 2) {
  std::vector<Gold> own;
  for (const std::uint32_t row : used_) own.push_back(targets_[row]);
  label_weights_ = label_weights(own, options_);
  columns_ =
      options_.problem_type == ProblemType::single_label && !is_softmax_ ? 1 : options_.classes;
  weights_.resize((rows_.width + 1) * columns_);
  const double even = is_softmax_ ? -std::log(static_cast<double>(columns_)) : 0.0;
  known_.assign(used_.size() * columns_, static_cast<float>(even));
  order_.resize(used_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  for (const std::uint32_t row : used_) {
    double square = 1.0;
    for (std::size_t j = rows_.starts[row]; j < rows_.starts[row + 1]; ++j) {
      square += static_cast<double>(rows_.values[j]) * static_cast<double>(rows_.values[j]);
    }
    squares_.push_back(square);
  }
  for (auto* const each : {&scores_, &change_}) each->resize(columns_);
  for (auto* const each : {&logs_, &sums_}) each->resize(columns_);
}

std::size_t SparseRegression::fit(double strength, double tolerance, std::size_t most_epochs,
                                  const std::function<bool()>& stopped) {
  if (has_begun_) {
    const auto factor = static_cast<float>(strength / strength_);
    for (float& weight : weights_) weight *= factor;
  }
  strength_ = strength;
  std::size_t epochs = 0;
  while (epochs < most_epochs && !stopped()) {
    const std::uint64_t seed = mixed_bits(seed_ + epochs_++);
    for (std::size_t i = order_.size(); i > 1; --i) {
      std::swap(order_[i - 1], order_[mixed_bits(seed ^ i) % i]);
    }
    double change = 0.0;
    for (const std::uint32_t place : order_) change += update(place);
    has_begun_ = true;
    ++epochs;
    if (change <= tolerance * static_cast<double>(order_.size())) break;
  }
  return epochs;
}

void SparseRegression::add_scores(const SparseRows& rows, std::size_t row,
                                  std::vector<float>& scores) const {
  const std::size_t m = columns_;
  for (std::size_t j = rows.starts[row]; j < rows.starts[row + 1]; ++j) {
    const float value = rows.values[j];
    const float* const weights = &weights_[rows.columns[j] * m];
    for (std::size_t k = 0; k < m; ++k) scores[k] += value * weights[k];
  }
}

/// Returns the largest change of a probability of the row.
double SparseRegression::update(std::size_t place) {
  const std::size_t row = used_[place];
  const std::size_t m = columns_;
  std::copy_n(weights_.end() - static_cast<std::ptrdiff_t>(m), m, scores_.begin());
  add_scores(rows_, row, scores_);
  const std::span<float> known = std::span(known_).subspan(place * m, m);
  const double step = strength_ * squares_[place];
  is_softmax_ ? move_softmax(targets_[row], step, known)
              : move_sigmoids(targets_[row], step, known);
  float most = 0.0F;
  for (float& change : change_) {
    most = std::max(most, std::abs(change));
    change *= static_cast<float>(strength_);
  }
  if (most == 0.0F) return 0.0;
  for (std::size_t j = rows_.starts[row]; j < rows_.starts[row + 1]; ++j) {
    const float value = rows_.values[j];
    float* const weights = &weights_[rows_.columns[j] * m];
    for (std::size_t k = 0; k < m; ++k) weights[k] += value * change_[k];
  }
  for (std::size_t k = 0; k < m; ++k) weights_[rows_.width * m + k] += change_[k];
  return static_cast<double>(most);
}

void SparseRegression::move_softmax(const Gold& target, double step, std::span<float> known) {
  const std::size_t label = target.labels.front();
  const double weight = label_weights_.present[label];
  step *= weight;
  const auto p_of = [&](std::size_t k) {
    if (!has_begun_) return k == label ? 1.0 : 0.0;  // no residual yet
    return probability_of_log(static_cast<double>(known[k]));
  };
  for (std::size_t k = 0; k < columns_; ++k) {
    const double p = p_of(k);
    change_[k] = static_cast<float>(weight * p);
    logs_[k] = static_cast<double>(known[k]);
    sums_[k] = static_cast<double>(scores_[k]) + step * p;
  }
  solve_softmax(sums_, step, logs_);
  for (std::size_t k = 0; k < columns_; ++k) {
    known[k] = static_cast<float>(logs_[k]);
    change_[k] -= static_cast<float>(weight * probability_of_log(static_cast<double>(known[k])));
  }
}

void SparseRegression::move_sigmoids(const Gold& target, double step, std::span<float> known) {
  for (std::size_t k = 0; k < columns_; ++k) {
    const std::size_t label =
        is_softmax_ || options_.problem_type != ProblemType::single_label ? k : 1;
    const bool is_present = std::ranges::binary_search(target.labels, label);
    const bool is_other = options_.problem_type == ProblemType::single_label && !is_present;
    const double weight = is_present ? label_weights_.present[label]
                          : is_other ? label_weights_.present[0]
                                     : label_weights_.absent[label];
    const double own = step * weight;
    const double before =
        has_begun_ ? sigmoid(static_cast<double>(known[k])) : (is_present ? 1.0 : 0.0);
    const double sum = static_cast<double>(scores_[k]) + own * before;
    known[k] = static_cast<float>(solve_sigmoid(static_cast<double>(known[k]), own, sum));
    change_[k] = static_cast<float>(weight * (before - sigmoid(static_cast<double>(known[k]))));
  }
}

std::vector<float> SparseRegression::logits_of(const SparseRows& rows, std::size_t row) const {
  std::vector<float> scores(weights_.end() - static_cast<std::ptrdiff_t>(columns_), weights_.end());
  add_scores(rows, row, scores);
  if (columns_ == options_.classes) return scores;
  return {-scores.front() / 2.0F, scores.front() / 2.0F};
}

double SparseRegression::loss_of(std::size_t row) const {
  const std::vector<float> logits = logits_of(rows_, row);
  const std::vector<std::size_t>& labels = targets_[row].labels;
  if (options_.problem_type == ProblemType::single_label) {
    const auto label = static_cast<double>(logits[labels.front()]);
    double sum = 0.0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - label);
    return std::log(sum);
  }
  double loss = 0.0;
  for (std::size_t k = 0; k < logits.size(); ++k) {
    const auto logit = static_cast<double>(logits[k]);
    loss += std::log1p(std::exp(std::ranges::binary_search(labels, k) ? -logit : logit));
  }
  return loss;
}

}  // namespace headlight
