#include "metrics/confidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace headlight {
namespace {

/// Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators".
class SplitMix {
 public:
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  /// An integer below `end` < 2³².
  std::uint64_t below(std::uint64_t end) { return ((next() >> 32U) * end) >> 32U; }

 private:
  std::uint64_t state_ = 0;
};

/// Interpolates between the two nearest sorted values, as NumPy's percentile does.
double quantile(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

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

Interval accuracy_interval(std::size_t right, std::size_t rows) {
  constexpr std::size_t kResamples = 1000;
  constexpr double kTail = 0.025;
  SplitMix random;
  std::vector<double> accuracies(kResamples);
  for (double& accuracy : accuracies) {
    std::size_t drawn = 0;  // rows below `right` count as the correct ones
    for (std::size_t i = 0; i < rows; ++i) drawn += random.below(rows) < right ? 1 : 0;
    accuracy = static_cast<double>(drawn) / static_cast<double>(rows);
  }
  std::sort(accuracies.begin(), accuracies.end());
  return {quantile(accuracies, kTail), quantile(accuracies, 1.0 - kTail)};
}

}  // namespace headlight
