#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "close_to.h"
#include "math/functions.h"
#include "math/random_matrix.h"

namespace headlight::activation_test {
namespace {

using Function = double (*)(double);

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double gelu(double x) { return x * 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double gelu_tanh(double x) {
  return 0.5 * x *
         (1.0 + std::tanh(std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}
double silu(double x) { return x * sigmoid(x); }
double softplus(double x) { return x > 40.0 ? x : std::log1p(std::exp(x)); }
double same(double x) { return x; }

/// Every name of the training stack, by its formula.
const std::map<std::string, Function> kFormulas = {
    {"gelu", gelu},
    {"gelu_python", gelu},
    {"gelu_new", gelu_tanh},
    {"gelu_pytorch_tanh", gelu_tanh},
    {"gelu_python_tanh", gelu_tanh},
    {"gelu_accurate", gelu_tanh},
    {"gelu_fast",
     [](double x) {
       return 0.5 * x * (1.0 + std::tanh(0.7978845608 * x * (1.0 + 0.044715 * x * x)));
     }},
    {"gelu_10", [](double x) { return std::clamp(gelu(x), -10.0, 10.0); }},
    {"quick_gelu", [](double x) { return x * sigmoid(1.702 * x); }},
    {"relu", [](double x) { return x > 0.0 ? x : 0.0; }},
    {"relu2", [](double x) { return x > 0.0 ? x * x : 0.0; }},
    {"relu6", [](double x) { return std::min(std::max(x, 0.0), 6.0); }},
    {"leaky_relu", [](double x) { return x > 0.0 ? x : 0.01 * x; }},
    {"silu", silu},
    {"swish", silu},
    {"mish", [](double x) { return x * std::tanh(softplus(x)); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"sigmoid", sigmoid},
    {"linear", same},
    {"identity", same},
};

std::vector<float> inputs() {
  std::vector<float> values = {0.0F,  1e-30F, 1e-3F, 0.5F,  1.0F,  5.9F,   6.0F, 6.5F, 9.9F,
                               10.5F, 20.0F,  20.5F, 87.0F, 89.0F, 200.0F, 1e4F, 1e12F};
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  for (const float x : random_floats(500, 1)) values.push_back(8.0F * x);
  return values;
}

TEST_CASE("each activation follows its formula, for small numbers and for very large ones") {
  for (const auto& [name, formula] : kFormulas) {
    CAPTURE(name);
    const auto activation = find_activation(name);
    REQUIRE(activation);
    auto values = inputs();
    std::vector<double> expected;
    for (const float x : values) expected.push_back(formula(static_cast<double>(x)));
    activate(*activation, Matrix(values.data(), 1, values.size()));
    CHECK(close_to(values, expected, {.absolute = 1e-6, .relative = 2e-6}));
  }
}

TEST_CASE("logarithms are those of float64, from the smallest normal number on") {
  std::vector<float> values;
  std::vector<double> expected;
  for (float x = 1.2e-38F; x < 1e38F; x *= 1.0137F) values.push_back(x);
  for (const float x : values) expected.push_back(std::log(static_cast<double>(x)));
  take_logs(values);
  CHECK(close_to(values, expected, {.absolute = 1e-9, .relative = 2.4e-7}));
}

TEST_CASE("the known activations are these and no others") {
  auto names = activation_names();
  std::sort(names.begin(), names.end());
  std::vector<std::string> expected;
  for (const auto& entry : kFormulas) expected.push_back(entry.first);
  CHECK(names == expected);
  for (const char* unknown : {"", "GELU", "gelu_neu", "softmax"}) {
    CHECK_FALSE(find_activation(unknown));
  }
}

TEST_CASE("the two kinds of gelu are told apart where they differ most") {
  std::vector<float> exact = {2.0F};
  std::vector<float> by_tanh = {2.0F};
  activate(Activation::gelu, Matrix(exact.data(), 1, 1));
  activate(Activation::gelu_tanh, Matrix(by_tanh.data(), 1, 1));
  CHECK(close_to(exact, std::vector{1.9544997361036416}, {.absolute = 3e-7}));
  CHECK(close_to(by_tanh, std::vector{1.9545976940877752}, {.absolute = 3e-7}));
}

TEST_CASE("an activation keeps to its part of a wider matrix") {
  for (const auto& name : activation_names()) {
    CAPTURE(name);
    RandomMatrix matrix(5, 7, 1, 3);
    activate(*find_activation(name), matrix.view());
    CHECK(matrix.gaps_are_untouched());
  }
}

}  // namespace
}  // namespace headlight::activation_test
