#include "training/head/head_hessian.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "math/blas.h"

namespace headlight {
namespace {

constexpr std::size_t kHessianRows = 256;  // at once
constexpr std::size_t kMostLabels = 32;    // of an inverse of all of them together
constexpr std::size_t kMostNumbers = std::size_t{1} << 28U;  // of all inverses
constexpr std::size_t kHessianPanel = 128;  // columns of a block that a thread adds

void invert_block(double* block, std::size_t size) {
  if (invert_positive(block, size)) return;
  throw Error("", "the penalty of the last layer is too weak to say what it is without a row",
              "train it with a larger --penalty");
}

}  // namespace

HeadHessian::HeadHessian(const FittingRows& rows, const HeadFittingOptions& options,
                         const LinearHead& head, double strength, std::size_t most_whole)
    : loss_(rows, options),
      rows_(rows.targets.size()),
      labels_(options.classes),
      width_(rows.vectors.cols),
      height_(whole_panels(width_ + (options.has_bias ? 1 : 0))),
      has_bias_(options.has_bias),
      is_coupled_(options.problem_type == ProblemType::single_label),
      strength_(strength),
      is_whole_(is_coupled_ && labels_ <= kMostLabels && labels_ * (width_ + 1) <= most_whole),
      derivatives_(loss_.derivatives(loss_.parameters_of(head))) {
  if (labels_ > kMostNumbers / (height_ * height_)) {
    throw Error("", "the model has too many labels to say what it owes to a row: found " +
                        std::to_string(labels_) + ", expected at most " +
                        std::to_string(kMostNumbers / (height_ * height_)));
  }
  if (!has_bias_ || !is_coupled_) return;
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t k = 0; k < labels_; ++k) {
      const double s = derivatives_.curvature[i * labels_ + k];
      common_bias_ += s - s * s / derivatives_.weight[i];
    }
  }
  common_bias_ /= static_cast<double>(labels_ * labels_);
}

double HeadHessian::second(std::size_t row, std::size_t label, std::size_t other) const {
  const double* s = derivatives_.curvature.data() + row * labels_;
  const double weight = derivatives_.weight[row];
  const double own = (label == other ? s[label] : 0.0) - s[label] * s[other] / weight;
  if (!are_blocks_apart()) return own;
  return own * static_cast<double>(labels_) /
         static_cast<double>(std::max<std::size_t>(labels_, 2) - 1);
}

void HeadHessian::copy_rows(std::size_t first, std::size_t count, double* to) const {
  loss_.copy_block(first, count, to, height_);
  for (std::size_t i = 0; i < count; ++i) {
    std::fill(to + i * height_ + width_, to + (i + 1) * height_, 0.0);
    if (has_bias_) to[i * height_ + width_] = 1.0;
  }
}

std::vector<double> HeadHessian::column_of(std::span<const float> x) const {
  std::vector<double> column = loss_.scaled(x);
  column.resize(height_);
  if (has_bias_) column[width_] = 1.0;
  return column;
}

std::vector<double> HeadHessian::block(std::size_t label, std::size_t other) const {
  std::vector<double> sum(height_ * height_);
  share_work((height_ + kHessianPanel - 1) / kHessianPanel, [&](std::size_t panel) {
    const std::size_t from = panel * kHessianPanel;  // the first column, and the first row
    const std::size_t columns = std::min(kHessianPanel, height_ - from);
    std::vector<double> x(kHessianRows * height_);
    std::vector<double> weighted(kHessianRows * height_);
    for (std::size_t row = 0; row < rows_; row += kHessianRows) {
      const std::size_t count = std::min(kHessianRows, rows_ - row);
      copy_rows(row, count, x.data());
      for (std::size_t i = 0; i < count; ++i) {
        const double factor = second(row + i, label, other);
        for (std::size_t j = i * height_ + from; j < (i + 1) * height_; ++j) {
          weighted[j] = factor * x[j];
        }
      }
      add_double_product({height_ - from, count, columns}, {weighted.data() + from, 1, height_},
                         x.data() + from, sum.data() + from * height_ + from, height_);
    }
  });
  for (std::size_t i = 0; i < height_; ++i) {
    for (std::size_t j = i + 1; j < height_; ++j) sum[i * height_ + j] = sum[j * height_ + i];
  }
  if (label == other) {
    for (std::size_t j = 0; j < width_; ++j) sum[j * height_ + j] += strength_;
    for (std::size_t j = width_ + (has_bias_ ? 1 : 0); j < height_; ++j) sum[j * height_ + j] = 1.0;
  }
  if (is_whole_) sum[width_ * height_ + width_] += common_bias_;
  return sum;
}

void HeadHessian::invert(const WorkDone& done) {
  const std::size_t size = inverse_width();
  inverse_.assign(inverse_rows() * size, 0.0);
  for (std::size_t label = 0; label < labels_; ++label) {
    const std::size_t row = label * height_;
    for (std::size_t other = is_whole_ ? 0 : label; other <= label; ++other) {
      const std::vector<double> part = block(label, other);
      for (std::size_t i = 0; i < height_; ++i) {
        std::copy_n(part.data() + i * height_, height_,
                    inverse_.data() + (row + i) * size + (is_whole_ ? other * height_ : 0));
      }
    }
    if (!is_whole_) invert_block(inverse_.data() + row * size, size);
    const auto share = static_cast<double>(label + 1) / static_cast<double>(labels_);
    done(is_whole_ ? share * share : share);
  }
  if (is_whole_) invert_block(inverse_.data(), size);
}

StridedDoubles HeadHessian::inverse(std::size_t label, std::size_t other) const {
  const std::size_t column = is_whole_ ? other * height_ : 0;
  return {inverse_.data() + label * height_ * inverse_width() + column, inverse_width(), 1};
}

void HeadHessian::score(const std::vector<double>& columns, std::size_t stride,
                        const ScoreVisit& visit) const {
  share_work((rows_ + kHessianRows - 1) / kHessianRows, [&](std::size_t block) {
    const std::size_t first = block * kHessianRows;
    const std::size_t count = std::min(kHessianRows, rows_ - first);
    std::vector<double> x(count * height_);
    std::vector<double> scores(count * stride);
    copy_rows(first, count, x.data());
    add_double_product({count, height_, stride}, {x.data(), height_, 1}, columns.data(),
                       scores.data(), stride);
    visit(first, scores);
  });
}

}  // namespace headlight
