#include "training/head/head_hessian.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "math/blas.h"

namespace headlight {
namespace {

constexpr std::size_t kHessianRows = 256;  // at once
constexpr std::size_t kHessianParts = 16;  // of all rows
constexpr std::size_t kMostLabels = 32;    // of an inverse of all of them together
constexpr std::size_t kMostNumbers = std::size_t{1} << 28U;  // of all inverses
constexpr std::size_t kHessianPanel = 128;  // columns of a block that a thread adds

void invert_block(double* block, std::size_t size) {
  if (invert_positive(block, size)) return;
  throw Error("", "the penalty of the last layer is too weak to say what it is without a row",
              "train it with a larger --penalty");
}

double dot_of(const std::vector<double>& x, const std::vector<double>& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

/// x ← a · x + b · y
void combine(double a, std::vector<double>& x, double b, const std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = a * x[i] + b * y[i];
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
  return (label == other ? s[label] : 0.0) - s[label] * s[other] / weight;
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
  const std::size_t blocks = (rows_ + kHessianRows - 1) / kHessianRows;
  const std::size_t parts = std::min(blocks, kHessianParts);
  share_work(parts, [&](std::size_t part) {
    std::vector<double> x(kHessianRows * height_);
    std::vector<double> scores(kHessianRows * stride);
    const std::size_t end = std::min(rows_, (part + 1) * blocks / parts * kHessianRows);
    for (std::size_t row = part * blocks / parts * kHessianRows; row < end; row += kHessianRows) {
      const std::size_t count = std::min(kHessianRows, end - row);
      copy_rows(row, count, x.data());
      std::fill(scores.begin(), scores.end(), 0.0);
      add_double_product({count, height_, stride}, {x.data(), height_, 1}, columns.data(),
                         scores.data(), stride);
      visit({part, row, count}, x, scores);
    }
  });
}

void HeadHessian::couple(std::span<const LeftOut> systems, const RowBlock& rows, std::size_t stride,
                         std::vector<double>& scores) const {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::size_t row = rows.first + i;
    const double* s = derivatives_.curvature.data() + row * labels_;
    double* own = scores.data() + i * stride;
    for (const LeftOut& without : systems) {
      const double sum = std::inner_product(s, s + labels_, own, 0.0) / derivatives_.weight[row];
      for (std::size_t k = 0; k < labels_; ++k, ++own) {
        *own = without == row ? 0.0 : s[k] * (*own - sum);
      }
    }
  }
}

std::vector<double> HeadHessian::product(std::span<const LeftOut> systems,
                                         const std::vector<double>& x, std::size_t stride) const {
  std::vector<std::vector<double>> parts(kHessianParts);
  score(x, stride, [&](const RowBlock& rows, const auto& vectors, auto& scores) {
    couple(systems, rows, stride, scores);
    std::vector<double>& sum = parts[rows.part];
    sum.resize(x.size());
    add_double_product({height_, rows.count, stride}, {vectors.data(), 1, height_}, scores.data(),
                       sum.data(), stride);
  });
  std::vector<double> result(x.size());
  for (std::size_t i = 0; i < width_ * stride; ++i) result[i] = strength_ * x[i];
  for (const std::vector<double>& part : parts) {  // in this order for any number of threads
    for (std::size_t i = 0; i < part.size(); ++i) result[i] += part[i];
  }
  return result;
}

void HeadHessian::center(std::size_t systems, std::size_t stride, std::vector<double>& x) const {
  for (std::size_t i = 0; i < height_; ++i) {
    for (std::size_t m = 0; m < systems; ++m) {
      double* own = x.data() + i * stride + m * labels_;
      const double mean = std::accumulate(own, own + labels_, 0.0) / static_cast<double>(labels_);
      for (std::size_t k = 0; k < labels_; ++k) own[k] -= mean;
    }
  }
}

std::vector<double> HeadHessian::precondition(std::size_t systems, std::vector<double> x,
                                              std::size_t stride) const {
  const std::size_t panel = whole_panels(systems);
  center(systems, stride, x);
  std::vector<double> result(x.size());
  share_work(labels_, [&](std::size_t label) {
    std::vector<double> from(height_ * panel);
    std::vector<double> to(height_ * panel);
    for (std::size_t i = 0; i < height_; ++i) {
      for (std::size_t m = 0; m < systems; ++m) {
        from[i * panel + m] = x[i * stride + m * labels_ + label];
      }
    }
    add_double_product({height_, height_, panel}, inverse(label, label), from.data(), to.data(),
                       panel);
    for (std::size_t i = 0; i < height_; ++i) {
      for (std::size_t m = 0; m < systems; ++m) {
        result[i * stride + m * labels_ + label] = to[i * panel + m];
      }
    }
  });
  center(systems, stride, result);
  return result;
}

std::vector<double> HeadHessian::solve(std::span<const LeftOut> systems,
                                       const std::vector<double>& b, std::size_t stride,
                                       const SolveLimits& wanted, std::vector<double>& x) const {
  std::vector<double> r = product(systems, x, stride);
  combine(-1.0, r, 1.0, b);
  std::vector<double> z = precondition(systems.size(), r, stride);
  std::vector<double> p = z;
  double rz = dot_of(r, z);
  const double enough =
      wanted.tolerance * wanted.tolerance * dot_of(b, precondition(systems.size(), b, stride));
  for (std::size_t step = 0; step < wanted.most_steps && rz > enough; ++step) {
    const std::vector<double> q = product(systems, p, stride);
    const double along = rz / dot_of(p, q);
    combine(1.0, x, along, p);
    combine(1.0, r, -along, q);
    z = precondition(systems.size(), r, stride);
    const double next = dot_of(r, z);
    combine(next / rz, p, 1.0, z);
    rz = next;
  }
  return r;
}

}  // namespace headlight
