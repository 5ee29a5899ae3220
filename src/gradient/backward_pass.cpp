#include "gradient/backward_pass.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/function_gradients.h"

namespace headlight {
namespace {

// Rows whose contributions to the gradient of a norm's parameters are one chain.
constexpr std::size_t kNormRows = 64;
// Below, values of an activation have few digits, and its derivative at 0 is as good.
constexpr float kNearZero = 1e-30F;

/// dy ← dy · (act(x) - act(0)) / x, which at 0 is the derivative.
void scale_by_secant(Activation activation, ConstMatrix x, Matrix dy) {
  // σ(x) - ½ = ½ tanh(x / 2); at 0 all others are 0.
  const bool halved = activation == Activation::sigmoid;
  const float half = halved ? 0.5F : 1.0F;
  const float zero = 0.0F;
  float limit = 1.0F;
  activation_gradient(activation, {&zero, 1, 1}, {&limit, 1, 1});
  thread_local Buffer memory;
  const Matrix y = memory.shape(x.rows, x.cols);
  copy_rows(x, y);
  scale(half, y);
  activate(halved ? Activation::tanh : activation, y);
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < x.cols; ++j) {
      const float from = x.row(i)[j];
      dy.row(i)[j] *= std::abs(from) < kNearZero ? limit : half * y.row(i)[j] / from;
    }
  }
}

}  // namespace

Matrix BackwardMemory::take_zeros(std::size_t rows, std::size_t cols) {
  const Matrix zeros = take(rows, cols);
  fill_zeros(zeros);
  return zeros;
}

Matrix BackwardMemory::take_copy(ConstMatrix x) {
  const Matrix copy = take(x.rows, x.cols);
  share_rows(x.rows, [&](std::size_t first, std::size_t count) {
    copy_rows(x.row_range(first, count), copy.row_range(first, count));
  });
  return copy;
}

void add_linear_gradient(const BackwardPass& pass, const Linear& linear, ConstMatrix x,
                         ConstMatrix dy) {
  if (!pass.gradients.wanted()) return;
  weight_gradient(dy, x, pass.gradients.of(linear.weight), pass.gradients.of(linear.bias));
}

void linear_gradient(const BackwardPass& pass, const Linear& linear, ConstMatrix x, ConstMatrix dy,
                     Matrix dx) {
  add_linear_gradient(pass, linear, x, dy);
  const std::array<LinearGradient, 1> alone = {{{&linear, dy}}};
  input_gradient(alone, dx);
}

void norm_gradient(const BackwardPass& pass, const LayerNorm& norm, ConstMatrix x, ConstMatrix dy,
                   Matrix dx) {
  const BackwardMemory::Frame frame(pass.memory);
  const std::size_t blocks = (x.rows + kNormRows - 1) / kNormRows;
  const Matrix gains = pass.memory.take_zeros(blocks, x.cols);
  const Matrix biases = pass.memory.take_zeros(norm.bias.empty() ? 0 : blocks, x.cols);
  share_work(blocks, [&](std::size_t block) {
    const std::size_t first = block * kNormRows;
    const std::size_t count = std::min(kNormRows, x.rows - first);
    const NormGradient sums{gains.row(block),
                            norm.bias.empty() ? std::span<float>() : biases.row(block),
                            pass.rules == BackwardRules::relevance};
    layer_norm_gradient(norm, x.row_range(first, count), dy.row_range(first, count),
                        dx.row_range(first, count), sums);
  });
  if (!pass.gradients.wanted()) return;
  bias_gradient(gains, pass.gradients.of(norm.gain));
  bias_gradient(biases, pass.gradients.of(norm.bias));
}

void activation_gradient(const BackwardPass& pass, Activation activation, ConstMatrix x,
                         Matrix dy) {
  if (pass.rules == BackwardRules::relevance) return scale_by_secant(activation, x, dy);
  activation_gradient(activation, x, dy);
}

void add_products(const BackwardPass& pass, PartKind kind, std::size_t layer, ConstMatrix value,
                  ConstMatrix gradient) {
  if (pass.products == nullptr || pass.products->kind() != kind) return;
  pass.products->add(pass.batch, layer, 1.0, value, gradient);
}

void scale(float factor, Matrix dy) {
  for (std::size_t i = 0; i < dy.rows; ++i) {
    for (float& value : dy.row(i)) value *= factor;
  }
}

void add_rows(std::span<const std::size_t> rows, ConstMatrix from, Matrix to) {
  if (rows.empty()) {
    share_rows(to.rows, [&](std::size_t first, std::size_t count) {
      add(from.row_range(first, count), to.row_range(first, count));
    });
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add(from.row_range(i, 1), to.row_range(rows[i], 1));
  }
}

}  // namespace headlight
