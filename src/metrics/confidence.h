// Calibration of predicted probabilities, coverage, and the confidence interval of a proportion.
// Everything is float64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

struct Verdict {
  float confidence;  // the probability of the predicted label
  bool right;
};

/// Verdicts with low < confidence ≤ high.
struct CalibrationBin {
  double low = 0.0;
  double high = 0.0;
  std::size_t rows = 0;
  double confidence = 0.0;  // mean; 0 if there are no rows
  double accuracy = 0.0;    // 0 if there are no rows
};

inline constexpr std::size_t kCalibrationBins = 15;

/// Bins of equal width over [0, 1]; a confidence of 0 is in the first.
std::vector<CalibrationBin> calibration_bins(std::span<const Verdict> verdicts);

/// The expected calibration error: Σ |B|/n · |accuracy − confidence| over the bins (Guo et al.
/// 2017, "On Calibration of Modern Neural Networks", §2).
double expected_calibration_error(std::span<const CalibrationBin> bins);

/// The verdicts with a confidence of at least `threshold`.
struct CoveragePoint {
  double threshold = 0.0;
  std::size_t rows = 0;
  double coverage = 0.0;  // of all rows
  double accuracy = 0.0;  // 0 if there are no rows
};

/// At 0, 0.1 … 0.9, 0.95, 0.99.
std::vector<CoveragePoint> coverage_points(std::span<const Verdict> verdicts);

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

/// Repeated texts count once in the intervals below where `distinct` is the number of different
/// texts among the rows (empty: all): as large as if the proportion or the mean were that of so
/// many rows.

/// The 95 % confidence interval of a proportion: Wilson's score interval without continuity
/// correction (Wilson 1927, "Probable Inference, the Law of Succession, and Statistical
/// Inference"). It holds for few rows and for proportions near 0 and 1: 2 of 2 gives 0.342 to 1.
/// `hits` ≤ `rows`, and `rows` is at least 1.
Interval proportion_interval(std::size_t hits, std::size_t rows,
                             std::optional<std::size_t> distinct = std::nullopt);

/// The intervals below rest on a variance that is estimated from the rows. Fewer rows say too
/// little of it: the interval is empty.
inline constexpr std::size_t kLeastRowsOfInterval = 10;
inline constexpr const char* kTooFewRows = "fewer than 10 different rows: no confidence interval";

std::size_t count_distinct(std::vector<std::uint64_t> texts);
/// Widens the interval of a mean over all rows for `distinct` different texts.
void count_once(std::optional<Interval>& of_mean, std::size_t rows, std::size_t distinct);

/// The mean of values, at least one, with its 95 % confidence interval if they are independent:
/// mean ± 1.96 standard errors.
struct Mean {
  double value = 0.0;
  std::optional<Interval> interval;
};
Mean mean_of(std::span<const double> values);
/// The interval from the mean of the values, the sum of their squared differences from it, and
/// their number.
struct MeanSums {
  double mean;
  double squares;
  std::size_t rows;
};
std::optional<Interval> interval_of_mean(const MeanSums& sums);

/// The 95 % confidence interval of the change of a proportion, where the same rows are judged
/// twice: `gained` rows are right only the second time, `lost` rows only the first time. This is
/// the adjusted Wald interval (Bonett and Price 2012, "Adjusted Wald Confidence Interval for a
/// Difference of Binomial Proportions Based on Paired Data"), which also holds if no row changes.
std::optional<Interval> paired_interval(std::size_t gained, std::size_t lost, std::size_t rows,
                                        std::optional<std::size_t> distinct = std::nullopt);

}  // namespace headlight
