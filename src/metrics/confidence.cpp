#include "metrics/confidence.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {
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

Interval proportion_interval(std::size_t hits, std::size_t rows) {
  constexpr double kQuantile = 1.959963984540054;  // of the normal distribution, at 0.975
  constexpr double kSquare = kQuantile * kQuantile;
  const auto n = static_cast<double>(rows);
  const double share = static_cast<double>(hits) / n;
  const double middle = (share + kSquare / (2.0 * n)) / (1.0 + kSquare / n);
  const double half = kQuantile / (1.0 + kSquare / n) *
                      std::sqrt(share * (1.0 - share) / n + kSquare / (4.0 * n * n));
  // At these ends the formula gives exactly 0 and 1, which rounding misses.
  return {hits == 0 ? 0.0 : middle - half, hits == rows ? 1.0 : middle + half};
}

}  // namespace headlight
