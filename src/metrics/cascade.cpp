#include "metrics/cascade.h"

#include <algorithm>
#include <cmath>

#include "metrics/confidence.h"

namespace headlight {
namespace {

constexpr double kRisk = 0.05;            // that a bound does not hold
constexpr std::size_t kThresholds = 100;  // in steps of 1 % of the rows

/// The probability of at most `hits` in `rows` trials with a probability above hits / rows: terms
/// from the largest down, each by its ratio to the one before.
double binomial_tail(std::size_t hits, std::size_t rows, double probability) {
  const auto n = static_cast<double>(rows);
  auto k = static_cast<double>(hits);
  double term = std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                         k * std::log(probability) + (n - k) * std::log1p(-probability));
  double sum = term;
  constexpr double kTiny = 1e-18;
  for (; k > 0.0 && term > kTiny * sum; k -= 1.0) {
    sum += term *= k / (n - k + 1.0) * (1.0 - probability) / probability;
  }
  return sum;
}

}  // namespace

double Cascade::agreement_bound(const CascadePoint& point) const {
  const std::size_t once = (point.disagreeing * distinct + rows - 1) / rows;  // rounded up
  return 1.0 - exact_upper_bound(once, distinct);
}

double Cascade::rows_per_second(double small_reads, double large_reads) const {
  const double share_of_time = small_reads * (1.0 - large_share) + large_reads * large_share;
  return static_cast<double>(rows) / (seconds * share_of_time);
}

double exact_upper_bound(std::size_t hits, std::size_t rows) {
  if (hits >= rows) return 1.0;
  double low = static_cast<double>(hits) / static_cast<double>(rows);
  double high = 1.0;
  constexpr int kHalvings = 54;  // as many bits as a double has
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (binomial_tail(hits, rows, middle) > kRisk ? low : high) = middle;
  }
  return high;
}

std::size_t rows_to_promise(double agreement) {
  return static_cast<std::size_t>(std::ceil(std::log(kRisk) / std::log(agreement)));
}

std::optional<CascadePoint> promised_point(const Cascade& cascade, double agreement) {
  std::optional<CascadePoint> loosest;
  for (const CascadePoint& point : cascade.points) {
    if (cascade.agreement_bound(point) < agreement) break;
    loosest = point;
  }
  return loosest;
}

void CascadeSums::add(const Gold& gold, const Prediction& small, const Prediction& large,
                      const std::array<double, 2>& seconds) {
  for (std::size_t i = 0; i < seconds.size(); ++i) seconds_[i] += seconds[i];
  if (!small.error.empty() || !large.error.empty()) return;
  const bool agrees = numbers_[small.best] == large.best;
  const bool small_right = std::ranges::binary_search(gold.labels, small.best);
  const bool large_right = std::ranges::any_of(
      gold.labels, [&](std::size_t label) { return numbers_[label] == large.best; });
  constexpr std::uint64_t kOdd = 31;
  texts_.push_back(small.key != 0 ? kOdd * small.key + large.key : rows_.size());
  rows_.push_back({small.scores[small.best], agrees, small_right, large_right});
}

Cascade CascadeSums::measure() const {
  Cascade cascade;
  cascade.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  cascade.large_share = seconds_[1] / (seconds_[0] + seconds_[1]);
  cascade.rows = rows_.size();
  cascade.distinct = count_distinct(texts_);
  std::vector<Judged> sorted = rows_;
  std::ranges::stable_sort(sorted, std::ranges::greater(), &Judged::confidence);
  const auto right = std::ranges::count(sorted, true, &Judged::large_right);
  cascade.large_right = static_cast<std::size_t>(right);
  CascadePoint point;
  point.right = cascade.large_right;
  for (std::size_t step = 1; step <= kThresholds; ++step) {
    const std::size_t wanted = (step * sorted.size() + kThresholds - 1) / kThresholds;
    if (wanted <= point.kept) continue;
    point.threshold = sorted[wanted - 1].confidence;
    while (point.kept < sorted.size() && sorted[point.kept].confidence >= point.threshold) {
      const Judged& row = sorted[point.kept++];
      if (!row.agrees) ++point.disagreeing;
      if (row.small_right) ++point.right;
      if (row.large_right) --point.right;
    }
    cascade.points.push_back(point);
  }
  return cascade;
}

}  // namespace headlight
