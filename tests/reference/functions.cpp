#include "reference/functions.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace headlight::reference {
namespace {

double gelu(double x) { return x * 0.5 * (1.0 + std::erf(x / std::numbers::sqrt2)); }

double gelu_by_tanh(double x) {
  const double inner = std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1.0 + std::tanh(inner));
}

double gelu_fast(double x) {
  return 0.5 * x * (1.0 + std::tanh(0.7978845608 * x * (1.0 + 0.044715 * x * x)));
}

}  // namespace

const std::vector<std::string>& activation_names() {
  static const std::vector<std::string> names = {"relu",
                                                 "gelu",
                                                 "gelu_new",
                                                 "gelu_pytorch_tanh",
                                                 "silu",
                                                 "gelu_python",
                                                 "gelu_10",
                                                 "gelu_fast",
                                                 "quick_gelu",
                                                 "gelu_accurate",
                                                 "swish",
                                                 "relu2",
                                                 "gelu_python_tanh",
                                                 "relu6",
                                                 "mish",
                                                 "tanh",
                                                 "sigmoid",
                                                 "linear",
                                                 "leaky_relu"};
  return names;
}

double activate(const std::string& name, double x) {
  if (name == "relu") return std::max(x, 0.0);
  if (name == "gelu" || name == "gelu_python") return gelu(x);
  if (name == "gelu_new" || name == "gelu_pytorch_tanh" || name == "gelu_accurate" ||
      name == "gelu_python_tanh") {
    return gelu_by_tanh(x);
  }
  if (name == "gelu_fast") return gelu_fast(x);
  if (name == "gelu_10") return std::clamp(gelu(x), -10.0, 10.0);
  if (name == "quick_gelu") return x * sigmoid(1.702 * x);
  if (name == "silu" || name == "swish") return x * sigmoid(x);
  if (name == "relu2") return std::max(x, 0.0) * std::max(x, 0.0);
  if (name == "relu6") return std::clamp(x, 0.0, 6.0);
  if (name == "mish") return x * std::tanh(std::log1p(std::exp(x)));
  if (name == "tanh") return std::tanh(x);
  if (name == "sigmoid") return sigmoid(x);
  if (name == "linear") return x;
  if (name == "leaky_relu") return x >= 0.0 ? x : 0.01 * x;
  throw std::logic_error("reference: no activation " + name);
}

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// Where a bucket begins is written out: 8 · 16^(k/8), rounded up.
std::size_t relative_bucket(std::size_t i, std::size_t j) {
  static const std::vector<std::size_t> starts = {0, 1,  2,  3,  4,  5,  6,  7,
                                                  8, 12, 16, 23, 32, 46, 64, 91};
  const std::size_t distance = i > j ? i - j : j - i;
  const auto after = std::upper_bound(starts.begin(), starts.end(), distance);
  const auto bucket = static_cast<std::size_t>(after - starts.begin()) - 1;
  return j > i ? kBuckets / 2 + bucket : bucket;
}

Vector sinusoidal(std::size_t position, std::size_t d) {
  Vector p(d);
  for (std::size_t j = 0; j < d; ++j) {
    const std::size_t even = j - j % 2;  // 2k
    const double exponent = static_cast<double>(even) / static_cast<double>(d);
    const double angle = static_cast<double>(position) / std::pow(10000.0, exponent);
    p[j] = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
  }
  return p;
}

}  // namespace headlight::reference
