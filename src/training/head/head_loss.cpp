#include "training/head/head_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "math/double_products.h"

namespace headlight {
namespace {

constexpr std::size_t kBlockRows = 256;
constexpr std::size_t kMostParts = 16;

/// An odd number of cache lines, so that the rows of a tile do not map to the same cache sets.
std::size_t stride_of(std::size_t columns) {
  const std::size_t lines = whole_panels(columns) / kDoubleColumns;
  return (lines | 1U) * kDoubleColumns;
}

/// ln(1 + exp(x))
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double sigmoid(double x) {
  const double small = std::exp(-std::abs(x));
  return x < 0.0 ? small / (1.0 + small) : 1.0 / (1.0 + small);
}

VectorScale vector_scale(ConstMatrix vectors, bool centered) {
  VectorScale scale{std::vector<double>(vectors.cols), 1.0};
  const auto n = static_cast<double>(vectors.rows);
  if (centered) {
    for (std::size_t i = 0; i < vectors.rows; ++i) {
      const std::span<const float> row = vectors.row(i);
      for (std::size_t j = 0; j < row.size(); ++j) scale.mean[j] += static_cast<double>(row[j]);
    }
    for (double& mean : scale.mean) mean /= n;
  }
  double squares = 0.0;
  for (std::size_t i = 0; i < vectors.rows; ++i) {
    for (const float value : vectors.row(i)) {
      squares += static_cast<double>(value) * static_cast<double>(value);
    }
  }
  if (squares > 0.0) scale.scale = std::sqrt(squares / n);
  return scale;
}

ValueScale value_scale(std::span<const Gold> targets, bool centered) {
  const auto n = static_cast<double>(targets.size());
  ValueScale scale;
  if (centered) {
    for (const Gold& target : targets) scale.mean += target.value;
    scale.mean /= n;
  }
  double squares = 0.0;
  for (const Gold& target : targets) {
    const double value = target.value - scale.mean;
    squares += value * value;
  }
  if (squares > 0.0) scale.scale = std::sqrt(squares / n);
  return scale;
}

SparseColumns columns_of(const SparseRows& rows) {
  SparseColumns columns{std::vector<std::size_t>(rows.width + 1),
                        std::vector<std::uint32_t>(rows.columns.size()),
                        std::vector<float>(rows.columns.size())};
  for (const std::uint32_t column : rows.columns) ++columns.starts[column + 1];
  std::partial_sum(columns.starts.begin(), columns.starts.end(), columns.starts.begin());
  std::vector<std::size_t> next(columns.starts.begin(), columns.starts.end() - 1);
  for (std::size_t row = 0; row + 1 < rows.starts.size(); ++row) {
    for (std::size_t i = rows.starts[row]; i < rows.starts[row + 1]; ++i) {
      const std::size_t at = next[rows.columns[i]]++;
      columns.rows[at] = static_cast<std::uint32_t>(row);
      columns.values[at] = rows.values[i];
    }
  }
  return columns;
}

}  // namespace

LabelWeights label_weights(std::span<const Gold> targets, const HeadFittingOptions& options) {
  LabelWeights weights{std::vector<double>(options.classes, 1.0),
                       std::vector<double>(options.classes, 1.0)};
  if (options.class_weights == ClassWeights::none) return weights;
  std::vector<double> counts(options.classes);
  for (const Gold& target : targets) {
    for (const std::size_t label : target.labels) counts[label] += 1.0;
  }
  const auto n = static_cast<double>(targets.size());
  const bool single = options.problem_type == ProblemType::single_label;
  const auto used = static_cast<double>(
      std::count_if(counts.begin(), counts.end(), [](double count) { return count > 0.0; }));
  const double sides = single ? used : 2.0;
  for (std::size_t label = 0; label < counts.size(); ++label) {
    const double count = counts[label];
    if (count > 0.0) weights.present[label] = n / (sides * count);
    if (n - count > 0.0) weights.absent[label] = n / (sides * (n - count));
  }
  return weights;
}

HeadLoss::HeadLoss(const FittingRows& rows, const HeadFittingOptions& options)
    : rows_(rows),
      options_(options),
      vectors_(vector_scale(rows.vectors, options.has_bias)),
      weights_(label_weights(rows.targets, options)),
      width_(rows.vectors.cols),
      stride_(stride_of(options.classes)) {
  if (rows.beside != nullptr) {
    features_ = rows.beside->width;
    columns_ = columns_of(*rows.beside);
  }
  if (options_.problem_type == ProblemType::regression) {
    values_ = value_scale(rows.targets, options.has_bias);
  }
}

void HeadLoss::copy_block(std::size_t first, std::size_t count, double* block,
                          std::size_t stride) const {
  const double factor = 1.0 / vectors_.scale;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const float> from = rows_.vectors.row(first + i);
    double* to = block + i * stride;
    for (std::size_t j = 0; j < width_; ++j) {
      to[j] = (static_cast<double>(from[j]) - vectors_.mean[j]) * factor;
    }
  }
}

double HeadLoss::derive(const Gold& target, double* scores) const {
  switch (options_.problem_type) {
    case ProblemType::single_label:
      return derive_softmax(target, scores);
    case ProblemType::multi_label:
      return derive_sigmoid(target, scores);
    case ProblemType::regression:
      break;
  }
  return derive_square(target, scores);
}

double HeadLoss::derive_softmax(const Gold& target, double* scores) const {
  const std::size_t c = options_.classes;
  const std::size_t label = target.labels.front();
  const double weight = weights_.present[label];
  const double top = *std::max_element(scores, scores + c);
  const double own = scores[label] - top;
  double sum = 0.0;
  for (std::size_t k = 0; k < c; ++k) sum += scores[k] = std::exp(scores[k] - top);
  for (std::size_t k = 0; k < c; ++k) scores[k] *= weight / sum;
  scores[label] -= weight;
  return weight * (std::log(sum) - own);
}

double HeadLoss::derive_sigmoid(const Gold& target, double* scores) const {
  double loss = 0.0;
  auto next = target.labels.begin();
  for (std::size_t k = 0; k < options_.classes; ++k) {
    const bool present = next != target.labels.end() && *next == k;
    if (present) ++next;
    const double weight = present ? weights_.present[k] : weights_.absent[k];
    loss += weight * softplus(present ? -scores[k] : scores[k]);
    scores[k] = weight * (sigmoid(scores[k]) - (present ? 1.0 : 0.0));
  }
  return loss;
}

double HeadLoss::derive_square(const Gold& target, double* scores) const {
  const double wanted = (target.value - values_.mean) / values_.scale;
  scores[0] -= wanted;
  return scores[0] * scores[0] / 2.0;
}

void HeadLoss::score(const std::vector<double>& x, std::size_t first, std::size_t count,
                     const std::vector<double>& block, std::vector<double>& scores) const {
  const double* bias = x.data() + width_ * stride_;
  for (std::size_t i = 0; i < count; ++i) std::copy_n(bias, stride_, scores.data() + i * stride_);
  add_double_product({count, width_, whole_panels(options_.classes)}, {block.data(), width_, 1},
                     x.data(), scores.data(), stride_);
  if (features_ == 0) return;
  const SparseRows& beside = *rows_.beside;
  for (std::size_t i = 0; i < count; ++i) {
    double* own = scores.data() + i * stride_;
    for (std::size_t j = beside.starts[first + i]; j < beside.starts[first + i + 1]; ++j) {
      const auto value = static_cast<double>(beside.values[j]);
      const double* weights = x.data() + place_of(beside.columns[j]);
      for (std::size_t k = 0; k < options_.classes; ++k) own[k] += value * weights[k];
    }
  }
}

void HeadLoss::add_beside(const std::vector<double>& scores, std::vector<double>& gradient) const {
  constexpr std::size_t kColumnsAtOnce = 4096;
  share_work((features_ + kColumnsAtOnce - 1) / kColumnsAtOnce, [&](std::size_t some) {
    const std::size_t last = std::min(features_, (some + 1) * kColumnsAtOnce);
    for (std::size_t feature = some * kColumnsAtOnce; feature < last; ++feature) {
      double* own = gradient.data() + place_of(feature);
      for (std::size_t i = columns_.starts[feature]; i < columns_.starts[feature + 1]; ++i) {
        const auto value = static_cast<double>(columns_.values[i]);
        const double* row = scores.data() + columns_.rows[i] * stride_;
        for (std::size_t k = 0; k < options_.classes; ++k) own[k] += value * row[k];
      }
    }
  });
}

RowDerivatives HeadLoss::derivatives(const std::vector<double>& x) const {
  const std::size_t n = rows_.targets.size();
  const std::size_t c = options_.classes;
  const bool single = options_.problem_type == ProblemType::single_label;
  RowDerivatives found{{}, {}, std::vector<double>(n, std::numeric_limits<double>::infinity())};
  found.gradient.reserve(n * c);
  found.curvature.reserve(n * c);
  std::vector<double> block(width_);
  std::vector<double> scores(stride_);
  for (std::size_t i = 0; i < n; ++i) {
    copy_block(i, 1, block.data(), width_);
    score(x, i, 1, block, scores);
    const Gold& target = rows_.targets[i];
    derive(target, scores.data());
    if (single) found.weight[i] = weights_.present[target.labels.front()];
    for (std::size_t k = 0; k < c; ++k) {
      const bool present = std::ranges::binary_search(target.labels, k);
      const double weight = present ? weights_.present[k] : weights_.absent[k];
      const double score = scores[k] + (present ? weight : 0.0);  // weight · probability
      found.gradient.push_back(scores[k]);
      found.curvature.push_back(options_.problem_type == ProblemType::regression ? 1.0
                                : single                                         ? score
                                         : score * (1.0 - score / weight));
    }
  }
  return found;
}

HeadLoss::Part HeadLoss::part(const std::vector<double>& x, std::size_t first, std::size_t last,
                              std::vector<double>& scores_of_all) const {
  Part part{0.0, std::vector<double>((width_ + 1) * stride_)};
  const std::size_t columns = whole_panels(options_.classes);
  double* bias_gradient = part.gradient.data() + width_ * stride_;
  std::vector<double> block(kBlockRows * width_);
  std::vector<double> scores(kBlockRows * stride_);
  for (std::size_t row = first; row < last; row += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, last - row);
    copy_block(row, count, block.data(), width_);
    score(x, row, count, block, scores);
    for (std::size_t i = 0; i < count; ++i) {
      double* own = scores.data() + i * stride_;
      part.loss += derive(rows_.targets[row + i], own);
      std::fill(own + options_.classes, own + stride_, 0.0);
      if (!options_.has_bias) continue;
      for (std::size_t k = 0; k < options_.classes; ++k) bias_gradient[k] += own[k];
    }
    add_double_product({width_, count, columns}, {block.data(), 1, width_}, scores.data(),
                       part.gradient.data(), stride_);
    if (features_ == 0) continue;
    std::copy_n(scores.data(), count * stride_, scores_of_all.data() + row * stride_);
  }
  return part;
}

double HeadLoss::operator()(const std::vector<double>& x, std::vector<double>& gradient) const {
  const std::size_t n = rows_.targets.size();
  const std::size_t blocks = (n + kBlockRows - 1) / kBlockRows;
  const std::size_t count = std::min(blocks, kMostParts);
  std::vector<Part> parts(count);
  std::vector<double> scores(features_ > 0 ? n * stride_ : 0);
  share_work(count, [&](std::size_t i) {
    const std::size_t first = i * blocks / count * kBlockRows;
    const std::size_t last = std::min(n, (i + 1) * blocks / count * kBlockRows);
    parts[i] = part(x, first, last, scores);
  });
  double loss = 0.0;
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (const Part& part : parts) {  // in this order for any number of threads
    loss += part.loss;
    for (std::size_t i = 0; i < part.gradient.size(); ++i) gradient[i] += part.gradient[i];
  }
  add_beside(scores, gradient);
  const auto rows = static_cast<double>(n);
  double squares = 0.0;
  const auto penalize = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      squares += x[i] * x[i];
      gradient[i] += strength_ * x[i];
    }
  };
  penalize(0, width_ * stride_);
  penalize(place_of(0), x.size());
  for (double& value : gradient) value /= rows;
  return (loss + strength_ * squares / 2.0) / rows;
}

LinearHead HeadLoss::head(const std::vector<double>& x) const {
  const std::size_t c = options_.classes;
  LinearHead head{std::vector<float>(c * width_), {}, {}};
  for (std::size_t k = 0; k < c; ++k) {
    double bias = x[width_ * stride_ + k];
    for (std::size_t j = 0; j < width_; ++j) {
      const double weight = x[j * stride_ + k] / vectors_.scale;
      bias -= weight * vectors_.mean[j];
      head.weight[k * width_ + j] = static_cast<float>(weight * values_.scale);
    }
    if (options_.has_bias) {
      head.bias.push_back(static_cast<float>(bias * values_.scale + values_.mean));
    }
  }
  head.beside.reserve(features_ * c);
  for (std::size_t i = 0; i < features_ * c; ++i) {
    const double weight = x[place_of(i / c) + i % c];
    head.beside.push_back(static_cast<float>(weight * values_.scale));
  }
  return head;
}

std::vector<double> HeadLoss::scaled(std::span<const float> x) const {
  std::vector<double> scaled(width_);
  for (std::size_t j = 0; j < width_; ++j) {
    scaled[j] = (static_cast<double>(x[j]) - vectors_.mean[j]) / vectors_.scale;
  }
  return scaled;
}

std::vector<double> HeadLoss::parameters_of(const LinearHead& head) const {
  std::vector<double> x(parameters());
  for (std::size_t k = 0; k < options_.classes; ++k) {
    double bias = head.bias.empty() ? 0.0 : static_cast<double>(head.bias[k]) - values_.mean;
    for (std::size_t j = 0; j < width_; ++j) {
      const auto weight = static_cast<double>(head.weight[k * width_ + j]);
      bias += weight * vectors_.mean[j];
      x[j * stride_ + k] = weight * vectors_.scale / values_.scale;
    }
    if (options_.has_bias) x[width_ * stride_ + k] = bias / values_.scale;
  }
  for (std::size_t i = 0; i < head.beside.size(); ++i) {
    const auto weight = static_cast<double>(head.beside[i]);
    x[place_of(i / options_.classes) + i % options_.classes] = weight / values_.scale;
  }
  return x;
}

}  // namespace headlight
