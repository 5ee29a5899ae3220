#include "math/functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace headlight {
namespace {

constexpr std::array<std::pair<const char*, Activation>, 20> kNames = {{
    {"relu", Activation::relu},
    {"gelu", Activation::gelu},
    {"gelu_new", Activation::gelu_tanh},
    {"gelu_pytorch_tanh", Activation::gelu_tanh},
    {"silu", Activation::silu},
    {"tanh", Activation::tanh},
    {"gelu_python", Activation::gelu},
    {"gelu_python_tanh", Activation::gelu_tanh},
    {"gelu_accurate", Activation::gelu_tanh},
    {"gelu_fast", Activation::gelu_tanh},
    {"gelu_10", Activation::gelu_10},
    {"quick_gelu", Activation::quick_gelu},
    {"swish", Activation::silu},
    {"mish", Activation::mish},
    {"relu6", Activation::relu6},
    {"relu2", Activation::relu2},
    {"leaky_relu", Activation::leaky_relu},
    {"sigmoid", Activation::sigmoid},
    {"linear", Activation::linear},
    {"identity", Activation::linear},
}};

float sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

float gelu(float x) {
  return 0.5F * x * (1.0F + std::erf(x * (std::numbers::sqrt2_v<float> / 2.0F)));
}

float gelu_tanh(float x) {
  constexpr float kRoot = 0.7978845608028654F;  // √(2/π)
  return 0.5F * x * (1.0F + std::tanh(kRoot * (x + 0.044715F * x * x * x)));
}

/// log1p(exp(x)); past 20 it is x to the last bit.
float softplus(float x) { return x > 20.0F ? x : std::log1p(std::exp(x)); }

template <typename Function>
void apply(Matrix values, Function function) {
  for (std::size_t i = 0; i < values.rows; ++i) {
    for (float& x : values.row(i)) x = function(x);
  }
}

}  // namespace

std::optional<Activation> find_activation(std::string_view name) {
  for (const auto& [known, activation] : kNames) {
    if (name == known) return activation;
  }
  return std::nullopt;
}

std::vector<std::string> activation_names() {
  std::vector<std::string> names;
  names.reserve(kNames.size());
  for (const auto& entry : kNames) names.emplace_back(entry.first);
  return names;
}

void activate(Activation activation, Matrix values) {
  switch (activation) {
    case Activation::linear:
      return;
    case Activation::relu:
      return apply(values, [](float x) { return std::max(x, 0.0F); });
    case Activation::relu6:
      return apply(values, [](float x) { return std::clamp(x, 0.0F, 6.0F); });
    case Activation::relu2:
      return apply(values, [](float x) { return x > 0.0F ? x * x : 0.0F; });
    case Activation::leaky_relu:
      return apply(values, [](float x) { return x > 0.0F ? x : 0.01F * x; });
    case Activation::gelu:
      return apply(values, gelu);
    case Activation::gelu_tanh:
      return apply(values, gelu_tanh);
    case Activation::gelu_10:
      return apply(values, [](float x) { return std::clamp(gelu(x), -10.0F, 10.0F); });
    case Activation::quick_gelu:
      return apply(values, [](float x) { return x * sigmoid(1.702F * x); });
    case Activation::silu:
      return apply(values, [](float x) { return x * sigmoid(x); });
    case Activation::mish:
      return apply(values, [](float x) { return x * std::tanh(softplus(x)); });
    case Activation::tanh:
      return apply(values, [](float x) { return std::tanh(x); });
    case Activation::sigmoid:
      return apply(values, sigmoid);
  }
}

void softmax_rows(Matrix scores) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const auto row = scores.row(i);
    const float top = *std::max_element(row.begin(), row.end());
    double sum = 0.0;  // in double, so that long rows sum to 1 within float's precision
    for (float& x : row) {
      x = std::exp(x - top);
      sum += x;
    }
    const auto factor = static_cast<float>(1.0 / sum);
    for (float& x : row) x *= factor;
  }
}

float exp_row(std::span<float> row, float scale, const float* bias) {
  for (std::size_t j = 0; j < row.size(); ++j) {
    row[j] = row[j] * scale + (bias == nullptr ? 0.0F : bias[j]);
  }
  const float top = *std::max_element(row.begin(), row.end());
  double sum = 0.0;
  for (float& x : row) {
    x = std::exp(x - top);
    sum += x;
  }
  return static_cast<float>(sum);
}

void layer_norm(const LayerNorm& norm, ConstMatrix x, Matrix out) {
  const auto d = static_cast<double>(x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const auto in = x.row(i);
    const auto result = out.row(i);
    double sum = 0.0;
    for (const float value : in) sum += value;
    const double mean = sum / d;
    double squares = 0.0;
    for (const float value : in) squares += (value - mean) * (value - mean);
    const double variance = squares / d;
    const double divisor = norm.form == LayerNormForm::variance
                               ? std::sqrt(variance + norm.epsilon)
                               : std::sqrt(variance) + norm.epsilon;
    for (std::size_t j = 0; j < in.size(); ++j) {
      result[j] = static_cast<float>((in[j] - mean) / divisor) * norm.gain[j] + norm.bias[j];
    }
  }
}

void add(ConstMatrix others, Matrix values) {
  for (std::size_t i = 0; i < values.rows; ++i) {
    const auto other = others.row(i);
    const auto row = values.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] += other[j];
  }
}

void add_bias(std::span<const float> bias, Matrix values) {
  for (std::size_t i = 0; i < values.rows; ++i) {
    const auto row = values.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] += bias[j];
  }
}

}  // namespace headlight
