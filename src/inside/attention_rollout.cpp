#include "inside/attention_rollout.h"

#include "encoder/pooling.h"
#include "math/tensor.h"

namespace headlight {
namespace {

/// x [n, n] with rows normalized to sum 1.
Tensor<2> normalized(const Tensor<2>& x) {
  const Tensor<1> sums = xt::sum(x, {1});
  return x / column(sums);
}

}  // namespace

std::vector<double> mean_over_heads(std::span<const float> heads, std::size_t matrix_size) {
  const TensorView<float, 2> all = view_of<2>(heads, {heads.size() / matrix_size, matrix_size});
  const Tensor<1> mean = xt::mean<double>(all, {0});
  return numbers_of(mean);
}

std::vector<double> attention_rollout(const std::vector<std::vector<float>>& layers,
                                      std::size_t n) {
  const Tensor<2> identity = xt::eye<double>(n);
  Tensor<2> rollout = identity;
  for (const auto& layer : layers) {
    const TensorView<float, 3> heads = view_of<3>(layer, {layer.size() / (n * n), n, n});
    const Tensor<2> step = xt::mean<double>(heads, {0}) + identity;
    rollout = product(normalized(step), rollout);
  }
  return numbers_of(rollout);
}

std::vector<double> pooled_weights(std::span<const double> rollout, std::size_t n,
                                   std::optional<std::size_t> pooled_row) {
  const TensorView<double, 2> rows = view_of<2>(rollout, {n, n});
  Tensor<1> weights = xt::mean(rows, {0});
  if (pooled_row) weights = xt::view(rows, *pooled_row);
  return numbers_of(weights);
}

std::vector<double> pooled_weights(std::span<const double> rollout,
                                   std::span<const double> label_weights) {
  const std::size_t n = label_weights.size();
  const Tensor<2> weights = view_of<2>(label_weights, {1, n});
  const Tensor<2> matrix = view_of<2>(rollout, {n, n});
  return numbers_of(product(weights, matrix));
}

}  // namespace headlight
