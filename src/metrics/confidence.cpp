#include "metrics/confidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace headlight {
namespace {

constexpr double kNormalQuantile = 1.959963984540054;  // of the normal distribution, at 0.975

}  // namespace

std::vector<CalibrationBin> calibration_bins(std::span<const Verdict> verdicts) {
  std::vector<CalibrationBin> bins(kCalibrationBins);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    bins[i].low = static_cast<double>(i) / kCalibrationBins;
    bins[i].high = static_cast<double>(i + 1) / kCalibrationBins;
  }
  for (const auto& [confidence, right] : verdicts) {
    const auto bin = std::find_if(bins.begin(), bins.end() - 1,
                                  [c = confidence](const auto& each) { return c <= each.high; });
    ++bin->rows;
    bin->confidence += confidence;
    bin->accuracy += right ? 1.0 : 0.0;
  }
  for (CalibrationBin& bin : bins) {
    if (bin.rows == 0) continue;
    bin.confidence /= static_cast<double>(bin.rows);
    bin.accuracy /= static_cast<double>(bin.rows);
  }
  return bins;
}

double expected_calibration_error(std::span<const CalibrationBin> bins) {
  double sum = 0.0;
  std::size_t rows = 0;
  for (const CalibrationBin& bin : bins) {
    sum += static_cast<double>(bin.rows) * std::abs(bin.accuracy - bin.confidence);
    rows += bin.rows;
  }
  return rows == 0 ? 0.0 : sum / static_cast<double>(rows);
}

std::vector<CoveragePoint> coverage_points(std::span<const Verdict> verdicts) {
  constexpr std::array kThresholds = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};
  std::vector<CoveragePoint> points;
  for (const double threshold : kThresholds) {
    CoveragePoint& point = points.emplace_back();
    point.threshold = threshold;
    std::size_t right = 0;
    for (const Verdict& verdict : verdicts) {
      if (verdict.confidence < threshold) continue;
      ++point.rows;
      if (verdict.right) ++right;
    }
    if (point.rows == 0) continue;
    point.coverage = static_cast<double>(point.rows) / static_cast<double>(verdicts.size());
    point.accuracy = static_cast<double>(right) / static_cast<double>(point.rows);
  }
  return points;
}

Interval proportion_interval(std::size_t hits, std::size_t rows,
                             std::optional<std::size_t> distinct) {
  constexpr double kSquare = kNormalQuantile * kNormalQuantile;
  const auto n = static_cast<double>(distinct.value_or(rows));
  const double share = static_cast<double>(hits) / static_cast<double>(rows);
  const double middle = (share + kSquare / (2.0 * n)) / (1.0 + kSquare / n);
  const double half = kNormalQuantile / (1.0 + kSquare / n) *
                      std::sqrt(share * (1.0 - share) / n + kSquare / (4.0 * n * n));
  // At these ends the formula gives exactly 0 and 1, which rounding misses.
  return {hits == 0 ? 0.0 : middle - half, hits == rows ? 1.0 : middle + half};
}

std::size_t count_distinct(std::vector<std::uint64_t> texts) {
  std::ranges::sort(texts);
  return static_cast<std::size_t>(std::unique(texts.begin(), texts.end()) - texts.begin());
}

void count_once(std::optional<Interval>& of_mean, std::size_t rows, std::size_t distinct) {
  if (!of_mean || distinct >= rows) return;
  if (distinct < kLeastRowsOfInterval) return of_mean.reset();
  const double mean = 0.5 * (of_mean->low + of_mean->high);
  const double half = (of_mean->high - mean) *
                      std::sqrt(static_cast<double>(rows - 1) / static_cast<double>(distinct - 1));
  of_mean = {mean - half, mean + half};
}

Mean mean_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, interval_of_mean({mean, squares, values.size()})};
}

std::optional<Interval> interval_of_mean(const MeanSums& sums) {
  if (sums.rows < kLeastRowsOfInterval) return std::nullopt;
  const auto n = static_cast<double>(sums.rows);
  const double half = kNormalQuantile * std::sqrt(sums.squares / (n - 1.0) / n);
  return Interval{sums.mean - half, sums.mean + half};
}

std::optional<Interval> paired_interval(std::size_t gained, std::size_t lost, std::size_t rows,
                                        std::optional<std::size_t> distinct) {
  if (rows < kLeastRowsOfInterval) return std::nullopt;
  const double n = static_cast<double>(rows) + 2.0;
  const double up = (static_cast<double>(gained) + 1.0) / n;
  const double down = (static_cast<double>(lost) + 1.0) / n;
  const double change = up - down;
  const double half = kNormalQuantile * std::sqrt((up + down - change * change) / n);
  std::optional<Interval> interval = Interval{change - half, change + half};
  count_once(interval, rows, distinct.value_or(rows));
  if (interval) interval = {std::max(interval->low, -1.0), std::min(interval->high, 1.0)};
  return interval;
}

}  // namespace headlight
