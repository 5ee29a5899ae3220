// What a cascade of a small and a large model keeps of the large one's verdicts, by the confidence
// that the small model needs to answer; and the threshold that can promise an agreement.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "metrics/gold.h"

namespace headlight {

/// The small model answers where the probability of its label is at least `threshold`.
struct CascadePoint {
  float threshold = 0.0F;
  std::size_t kept = 0;         // rows that the small model answers
  std::size_t disagreeing = 0;  // of these, rows with another label than the large model's
  std::size_t right = 0;        // rows that the cascade labels correctly
};

/// Rows with an error in either model are left out.
struct Cascade {
  std::size_t rows = 0;
  std::size_t distinct = 0;          // different texts
  std::vector<CascadePoint> points;  // the strictest threshold first
  std::size_t large_right = 0;       // rows that the large model labels correctly
  double seconds = 0.0;              // that it took to score all rows with both models
  double large_share = 0.0;          // of these seconds

  double share(std::size_t of_rows) const {
    return static_cast<double>(of_rows) / static_cast<double>(rows);
  }
  /// The share of rows with the large model's label, such as all that are passed on.
  double agreement(const CascadePoint& point) const { return 1.0 - share(point.disagreeing); }
  /// The lower end of its exact one-sided 95 % confidence interval. Repeated texts count once.
  double agreement_bound(const CascadePoint& point) const;
  /// If the models read these shares of the rows.
  double rows_per_second(double small_reads, double large_reads) const;
};

/// The upper end of the exact one-sided 95 % confidence interval of a proportion (Clopper and
/// Pearson 1934, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the
/// Binomial"). `rows` is at least 1.
double exact_upper_bound(std::size_t hits, std::size_t rows);

/// The fewest different texts that can promise an agreement, from 0 to 1.
std::size_t rows_to_promise(double agreement);

/// The loosest threshold that promises an agreement; empty: none. Thresholds are tested from the
/// strictest on, up to the first whose bound is too low: with probability 95 % the one chosen
/// agrees at least so often on rows like those measured (fixed-sequence testing: Bauer 1991,
/// "Multiple Testing in Clinical Trials"; Angelopoulos et al. 2021, "Learn then Test"). A stricter
/// threshold never disagrees more, so this also holds for thresholds that come from the same rows
/// (Bates et al. 2021, "Distribution-Free, Risk-Controlling Prediction Sets").
std::optional<CascadePoint> promised_point(const Cascade& cascade, double agreement);

/// Takes the time from its construction to measure().
class CascadeSums {
 public:
  /// `numbers` [c]: of the small model's labels in the large one.
  explicit CascadeSums(std::vector<std::size_t> numbers) : numbers_(std::move(numbers)) {}

  /// `gold` has the label numbers of the small model. `seconds`: that each model took.
  void add(const Gold& gold, const Prediction& small, const Prediction& large,
           const std::array<double, 2>& seconds);
  /// The thresholds are the confidences that 1 %, 2 % … 100 % of the rows reach, whatever the large
  /// model says.
  Cascade measure() const;

 private:
  struct Judged {
    float confidence;
    bool agrees;
    bool small_right;
    bool large_right;
  };

  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::array<double, 2> seconds_ = {1e-9, 0.0};
  std::vector<std::size_t> numbers_;
  std::vector<Judged> rows_;
  std::vector<std::uint64_t> texts_;
};

}  // namespace headlight
