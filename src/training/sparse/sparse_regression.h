// Logistic regression on sparse rows, by dual coordinate ascent: one row after another gets the
// probabilities that are exactly the best for it while those of the others stay (Shalev-Shwartz and
// Zhang 2013, "Stochastic Dual Coordinate Ascent Methods for Regularized Loss Minimization").
//
// The loss is ½‖W‖² + C Σᵢ ωᵢ lossᵢ(W xᵢ), where each xᵢ ends with a 1 for the bias. Weights are
// float32. The result depends on nothing but the arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "training/head/head_fitting.h"
#include "training/head/head_loss.h"

namespace headlight {

class SparseRegression {
 public:
  /// `used` are numbers of rows; the other rows are not looked at. Of two labels with one label a
  /// row, one column decides: the logits are −x / 2 and x / 2. `options` say nothing of strengths.
  /// Rows and targets must outlive it.
  SparseRegression(const SparseRows& rows, std::span<const Gold> targets,
                   std::vector<std::uint32_t> used, const HeadFittingOptions& options,
                   std::uint64_t seed);

  /// Goes on from the last fit until the probabilities of the rows change by less than `tolerance`
  /// on average. Returns the number of epochs. Ends early if `stopped` returns true.
  std::size_t fit(double strength, double tolerance, std::size_t most_epochs,
                  const std::function<bool()>& stopped);

  std::size_t columns() const { return columns_; }  // m
  /// [features + 1, m], of decision values; the last row is the bias.
  std::span<const float> weights() const { return weights_; }
  /// Logits [c] of a row of any rows with these features.
  std::vector<float> logits_of(const SparseRows& rows, std::size_t row) const;
  /// The log loss of one of its rows, of several labels their sum, without the weights of labels.
  double loss_of(std::size_t row) const;

 private:
  void add_scores(const SparseRows& rows, std::size_t row, std::vector<float>& scores) const;
  double update(std::size_t place);
  void move_softmax(const Gold& target, double step, std::span<float> known);
  void move_sigmoids(const Gold& target, double step, std::span<float> known);

  const SparseRows& rows_;
  std::span<const Gold> targets_;
  std::vector<std::uint32_t> used_;
  HeadFittingOptions options_;
  LabelWeights label_weights_;
  std::uint64_t seed_;
  std::size_t columns_;
  bool is_softmax_;
  bool has_begun_ = false;  // each row has probabilities
  double strength_ = 0.0;   // C
  std::size_t epochs_ = 0;
  std::vector<std::uint32_t> order_;  // of `used_`
  std::vector<double> squares_;       // ‖x‖² of each of `used_`
  std::vector<float> weights_;
  std::vector<float> known_;   // [used, m] log p of softmax, or the logits of p
  std::vector<float> scores_;  // [m] of the row at work
  std::vector<float> change_;  // [m] of its residuals y − p, with their weights
  std::vector<double> logs_;   // [m] log p
  std::vector<double> sums_;   // [m] log p + step · p
};

}  // namespace headlight
