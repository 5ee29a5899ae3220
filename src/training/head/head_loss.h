// The loss of a linear head on rows of vectors, with its gradient, in float64. The result does not
// depend on the number of threads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/matrix.h"
#include "training/head/head_fitting.h"

namespace headlight {

/// x ← (x - mean) / scale makes the mean square of a vector 1. A head without bias keeps the mean.
struct VectorScale {
  std::vector<double> mean;  // [d]
  double scale = 1.0;
};

/// y ← (y - mean) / scale, for a regression.
struct ValueScale {
  double mean = 0.0;
  double scale = 1.0;
};

/// Weights of labels in the loss.
struct LabelWeights {
  std::vector<double> present;  // [c] of a row with the label
  std::vector<double> absent;   // [c] of a row without it; multi-label only
};
LabelWeights label_weights(std::span<const Gold> targets, const HeadFittingOptions& options);

/// What the rows' own losses are at some parameters, up to the second order in the scores [c].
struct RowDerivatives {
  std::vector<double> gradient;   // [n, c]
  std::vector<double> curvature;  // [n, c] s; the second derivatives are diag(s) - s sᵀ / w
  std::vector<double> weight;     // [n] w; infinite where labels are independent
};

/// The features beside the vectors, by column: column j has values[i] in rows[i] for i from
/// starts[j] to before starts[j + 1], in rising order.
struct SparseColumns {
  std::vector<std::size_t> starts;
  std::vector<std::uint32_t> rows;
  std::vector<float> values;
};

/// Parameters: Wᵀ [d, stride], the bias [stride] and the weights of the features beside the vectors
/// [features, stride], where the columns from c on are 0.
class HeadLoss {
 public:
  /// The memory of the rows must outlive it.
  HeadLoss(const FittingRows& rows, const HeadFittingOptions& options);

  std::size_t parameters() const { return (width_ + 1 + features_) * stride_; }
  /// The penalty for the next calls of operator().
  void set_strength(double strength) { strength_ = strength; }
  /// The loss, and its gradient.
  double operator()(const std::vector<double>& x, std::vector<double>& gradient) const;
  /// The head for vectors and values as they were given.
  LinearHead head(const std::vector<double>& x) const;
  /// The inverse of head().
  std::vector<double> parameters_of(const LinearHead& head) const;
  RowDerivatives derivatives(const std::vector<double>& x) const;
  /// The vectors [first, first + count), scaled, in rows that are `stride` numbers apart.
  void copy_block(std::size_t first, std::size_t count, double* block, std::size_t stride) const;
  /// x as the rows are scaled.
  std::vector<double> scaled(std::span<const float> x) const;
  /// A score of 1 in units of the logits: of the values, for a regression.
  double unit() const { return values_.scale; }

 private:
  struct Part {
    double loss = 0.0;
    std::vector<double> gradient;
  };

  /// Puts the derivatives of the rows [first, last) by their scores into `scores` [n, stride_], if
  /// it has room.
  Part part(const std::vector<double>& x, std::size_t first, std::size_t last,
            std::vector<double>& scores) const;
  /// The scores [count, stride_] of the rows from `first` on, whose scaled vectors are in `block`.
  void score(const std::vector<double>& x, std::size_t first, std::size_t count,
             const std::vector<double>& block, std::vector<double>& scores) const;
  /// Adds to the gradient by the weights beside the vectors, from the derivatives by all scores.
  void add_beside(const std::vector<double>& scores, std::vector<double>& gradient) const;
  /// Where the weights of a feature beside the vectors are among the parameters.
  std::size_t place_of(std::size_t feature) const { return (width_ + 1 + feature) * stride_; }
  /// Replaces the scores of a row by the derivatives of its loss, which is returned.
  double derive(const Gold& target, double* scores) const;
  double derive_softmax(const Gold& target, double* scores) const;
  double derive_sigmoid(const Gold& target, double* scores) const;
  double derive_square(const Gold& target, double* scores) const;

  FittingRows rows_;
  HeadFittingOptions options_;
  VectorScale vectors_;
  ValueScale values_;
  LabelWeights weights_;
  std::size_t width_;         // d
  std::size_t stride_;        // of the parameters and the scores
  std::size_t features_ = 0;  // beside the vectors
  SparseColumns columns_;
  double strength_ = 1.0;
};

}  // namespace headlight
