#include "metrics/attention_rollout.h"

#include <algorithm>

#include "encoder/pooling.h"

namespace headlight {
namespace {

/// (a + I) with rows of sum 1, a [n, n].
void add_residual(std::vector<double>& a, std::size_t n) {
  for (std::size_t row = 0; row < n; ++row) {
    double* weights = a.data() + row * n;
    weights[row] += 1.0;
    double sum = 0.0;
    for (std::size_t key = 0; key < n; ++key) sum += weights[key];
    for (std::size_t key = 0; key < n; ++key) weights[key] /= sum;
  }
}

/// row [n] · matrix [n, n]
std::vector<double> times(std::span<const double> row, std::span<const double> matrix) {
  const std::size_t n = row.size();
  std::vector<double> product(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) product[j] += row[i] * matrix[i * n + j];
  }
  return product;
}

}  // namespace

std::vector<double> mean_over_heads(std::span<const float> heads, std::size_t matrix_size) {
  std::vector<double> mean(matrix_size, 0.0);
  for (std::size_t i = 0; i < heads.size(); ++i) mean[i % matrix_size] += heads[i];
  const double count = static_cast<double>(heads.size()) / static_cast<double>(matrix_size);
  for (double& weight : mean) weight /= count;
  return mean;
}

std::vector<double> attention_rollout(const std::vector<std::vector<float>>& layers,
                                      std::size_t n) {
  std::vector<double> rollout(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) rollout[i * n + i] = 1.0;
  for (const auto& layer : layers) {
    std::vector<double> step = mean_over_heads(layer, n * n);
    add_residual(step, n);
    std::vector<double> product;
    product.reserve(n * n);
    for (std::size_t row = 0; row < n; ++row) {
      const auto weights = times({step.data() + row * n, n}, rollout);
      product.insert(product.end(), weights.begin(), weights.end());
    }
    rollout = std::move(product);
  }
  return rollout;
}

std::vector<double> pooled_weights(std::span<const double> rollout, std::size_t n,
                                   Pooling pooling) {
  std::vector<double> weights(n, 1.0 / static_cast<double>(n));
  if (const auto row = pooled_row(pooling, n)) {
    std::fill(weights.begin(), weights.end(), 0.0);
    weights[*row] = 1.0;
  }
  return times(weights, rollout);
}

std::vector<double> pooled_weights(std::span<const double> rollout,
                                   std::span<const double> label_weights) {
  return times(label_weights, rollout);
}

}  // namespace headlight
