// Fits the last linear layer of a model to vectors of texts, in float64: multinomial logistic
// regression, one logistic regression per label, or ridge regression.
//
// The loss is the weighted mean over the rows, plus strength / (2n) · ‖W‖² for n rows of vectors
// that are scaled to a mean square of 1. The bias is not penalized.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/words.h"
#include "math/matrix.h"
#include "math/number_format.h"
#include "model/description.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// balanced: all labels have the same weight in the loss, whatever their number of rows.
enum class ClassWeights : std::uint8_t { none, balanced };
inline constexpr std::array<Word<ClassWeights>, 2> kClassWeightsWords = {
    {{"none", ClassWeights::none}, {"balanced", ClassWeights::balanced}}};

/// A matrix [n, width] of mostly zeros: row i has values[j] in columns[j] for j from starts[i] to
/// before starts[i + 1].
struct SparseRows {
  std::size_t width = 0;
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> columns{};
  std::vector<float> values{};
};

/// Rows with their vectors. All must outlive it.
struct FittingRows {
  ConstMatrix vectors;                 // [n, d], finite
  std::span<const Gold> targets;       // [n]
  const SparseRows* beside = nullptr;  // more features of the rows; they are not scaled
};

/// A copy of some rows.
class CopiedRows {
 public:
  CopiedRows(const FittingRows& all, const std::function<bool(std::size_t)>& is_wanted);
  FittingRows view() const;

 private:
  std::vector<float> vectors_;
  std::vector<Gold> targets_;
  std::size_t width_;
  std::optional<SparseRows> beside_;
};

struct HeadFittingOptions {
  ProblemType problem_type = ProblemType::single_label;
  std::size_t classes = 0;  // c; 1 for a regression
  ClassWeights class_weights = ClassWeights::none;
  bool has_bias = true;
  std::optional<double> strength = {};  // of the penalty; empty: fit_head() chooses it
};

/// The strength of the penalty if nothing chooses it.
inline constexpr double kDefaultStrength = 0.1;

/// logits = weight · x + bias + beside · features
struct LinearHead {
  std::vector<float> weight;    // [c, d]
  std::vector<float> bias;      // [c]; empty: none
  std::vector<float> beside{};  // [features, c]
};

/// Logits [n, c] in a row after the other. `beside` are the rows' features, if the head has them.
std::vector<float> logits_of(const LinearHead& head, ConstMatrix vectors, std::size_t classes,
                             const SparseRows* beside = nullptr);

struct HeadFit {
  LinearHead head;
  double strength = 0.0;       // of the penalty
  std::optional<double> loss;  // mean loss of the development rows; empty without such rows
};

/// A strength that was tried.
struct StrengthTrial {
  double strength = 0.0;
  std::size_t steps = 0;
  std::optional<double> loss;  // as HeadFit::loss
};

struct FittingWatch {
  std::function<bool(double done)> stopped;  // called often with the share of the work; true: stop
  std::function<void(const StrengthTrial&)> tried;  // called after each strength
};

/// Without a strength in the options, tries a fixed list, from strong to weak, and keeps the one
/// with the lowest loss on the development rows; without such rows, the strength is
/// kDefaultStrength. For classifiers the loss is that at the best temperature. The result is the
/// same for any number of threads. Returns nullopt if `watch.stopped` returned true.
std::optional<HeadFit> fit_head(const FittingRows& train, const FittingRows& dev,
                                const HeadFittingOptions& options, const FittingWatch& watch);

/// The strength of that list whose heads have the lowest loss on rows that they were not fitted to:
/// each of `folds` folds [n] by a head of the other rows. Rows of a higher number are in all heads.
/// Returns nullopt if `watch.stopped` returned true.
std::optional<double> strength_by_folds(const FittingRows& rows,
                                        const std::vector<std::size_t>& fold, std::size_t folds,
                                        const HeadFittingOptions& options,
                                        const FittingWatch& watch);

/// The head for these rows at the strength of `start`, whose weights the search starts from.
/// Returns nullopt if `stopped` returned true.
std::optional<LinearHead> refit_head(const FittingRows& rows, const HeadFittingOptions& options,
                                     const HeadFit& start, const std::function<bool()>& stopped);

/// Multiplies the logits of the head.
void scale_head(float factor, LinearHead& head);

/// Rounds the numbers to those of a format.
void round_head(NumberFormat format, LinearHead& head);

}  // namespace headlight
