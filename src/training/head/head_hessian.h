// The Hessian H of the loss of a linear head (head_loss.h) without its division by the number of
// rows, and solutions of H x = b: by its inverse where that is small, by conjugate gradients else.
// Everything is in float64, and the result does not depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "math/double_products.h"
#include "training/head/head_loss.h"

namespace headlight {

/// The row that is left out of H in a system of equations, whose columns are those of all labels.
using LeftOut = std::optional<std::size_t>;

/// When a solution is good enough: if its residual is `tolerance` times that of 0, in the norm of
/// the inverses, or after `most_steps`.
struct SolveLimits {
  double tolerance = 1e-3;
  std::size_t most_steps = 100;
};

/// The rows [first, first + count) of one of 16 parts, which a thread visits in their order.
struct RowBlock {
  std::size_t part = 0;
  std::size_t first = 0;
  std::size_t count = 0;
};
/// Gets the vectors [count, p] of a block of rows and their scores [count, stride].
using ScoreVisit =
    std::function<void(const RowBlock&, const std::vector<double>&, std::vector<double>&)>;

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
  /// Whether the Hessian has elements between labels.
  bool is_coupled() const { return is_coupled_; }
  /// Whether inverse() has the blocks of all pairs of labels, not only those on the diagonal.
  bool is_whole() const { return is_whole_; }
  /// Whether inverse() has all of the inverse of H.
  bool is_exact() const { return is_whole_ || !is_coupled_; }

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
  /// kDoubleColumns. Threads share the parts.
  void score(const std::vector<double>& columns, std::size_t stride, const ScoreVisit& visit) const;

  /// Improves a centered x [p, stride] of H x = b by conjugate gradients, where the columns of all
  /// systems stand one after another, and zeros after them. The labels must be coupled. Returns the
  /// residual b - H x.
  std::vector<double> solve(std::span<const LeftOut> systems, const std::vector<double>& b,
                            std::size_t stride, const SolveLimits& wanted,
                            std::vector<double>& x) const;

 private:
  std::vector<double> product(std::span<const LeftOut> systems, const std::vector<double>& x,
                              std::size_t stride) const;
  /// Subtracts the mean over the labels of each system. The change of all labels alike that is left
  /// out changes no probability, so a row has no part in it.
  void center(std::size_t systems, std::size_t stride, std::vector<double>& x) const;
  /// Replaces scores [count, stride] of rows by their second derivatives times them.
  void couple(std::span<const LeftOut> systems, const RowBlock& rows, std::size_t stride,
              std::vector<double>& scores) const;
  /// The blocks' inverses times x, whose columns are those of `systems` systems, centered.
  std::vector<double> precondition(std::size_t systems, std::vector<double> x,
                                   std::size_t stride) const;
  /// The block [p, p] of H of two labels, with 1 on the diagonal where columns have zeros.
  std::vector<double> block(std::size_t label, std::size_t other) const;
  /// The second derivative of a row's loss by the scores of two labels.
  double second(std::size_t row, std::size_t label, std::size_t other) const;

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
