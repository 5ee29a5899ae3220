// The Hessian H of the loss of a linear head (head_loss.h) without its division by the number of
// rows, and its inverse: of few labels that of H, else those of the blocks of its labels alone.
// Everything is in float64, and the result does not depend on
// the number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "math/double_products.h"
#include "training/head/head_loss.h"

namespace headlight {

/// Gets the number of the first row of a block, and the scores [count, stride] of its rows.
using ScoreVisit = std::function<void(std::size_t, const std::vector<double>&)>;

/// Called with the share of the work that is done.
using WorkDone = std::function<void(double)>;

class HeadHessian {
 public:
  /// At the parameters of `head`. The memory of the rows must outlive it. `most_whole`: the most
  /// parameters for which H is inverted as a whole; else only the blocks of the labels are. Throws
  /// Error for too many labels.
  HeadHessian(const FittingRows& rows, const HeadFittingOptions& options, const LinearHead& head,
              double strength, std::size_t most_whole = 3072);

  const HeadLoss& loss() const { return loss_; }
  const RowDerivatives& derivatives() const { return derivatives_; }
  std::size_t rows() const { return rows_; }
  std::size_t labels() const { return labels_; }
  /// p, of a column: the weights, then the bias if there is one, then zeros.
  std::size_t height() const { return height_; }
  /// Whether inverse() has the blocks of all pairs of labels, not only those on the diagonal.
  bool is_whole() const { return is_whole_; }

  /// Whether there are elements between labels that inverse() lacks.
  bool are_blocks_apart() const { return is_coupled_ && !is_whole_; }

  /// W: the second derivative of a row's loss by the scores of two labels. That of blocks apart is
  /// times c / (c - 1): a change of all labels alike changes no probability, and for the others
  /// blocks are exact with it if there are two labels, or if their probabilities are equal.
  double second(std::size_t row, std::size_t label, std::size_t other) const;

  /// Computes the inverse, which takes most of the time. Throws Error if H is singular.
  void invert(const WorkDone& done);
  /// The numbers of the inverse, inverse_rows() rows of inverse_width(), which can be kept.
  std::vector<double>& inverse_numbers() { return inverse_; }
  std::size_t inverse_rows() const { return labels_ * height_; }
  std::size_t inverse_width() const { return is_whole_ ? labels_ * height_ : height_; }
  /// The block [p, p] of two labels, which are the same unless it is the inverse of all together.
  StridedDoubles inverse(std::size_t label, std::size_t other) const;

  /// The rows [first, first + count) as rows of p numbers: x, 1 if there is a bias, zeros.
  void copy_rows(std::size_t first, std::size_t count, double* to) const;
  /// A text's vector in this form.
  std::vector<double> column_of(std::span<const float> x) const;
  /// Scores [n, stride] of all rows for `columns` [p, stride], where the stride is a multiple of
  /// kDoubleColumns, in blocks that threads share.
  void score(const std::vector<double>& columns, std::size_t stride, const ScoreVisit& visit) const;

 private:
  /// The block [p, p] of H of two labels, with 1 on the diagonal where columns have zeros.
  std::vector<double> block(std::size_t label, std::size_t other) const;

  HeadLoss loss_;
  std::size_t rows_;
  std::size_t labels_;  // c
  std::size_t width_;   // d
  std::size_t height_;  // p
  bool has_bias_;
  bool is_coupled_;
  double strength_;
  bool is_whole_;
  RowDerivatives derivatives_;
  /// One change of all biases changes no loss. This second derivative for it, as large as those of
  /// single biases, makes H regular and changes no difference of logits. 0: not needed.
  double common_bias_ = 0.0;
  std::vector<double> inverse_;
};

}  // namespace headlight
