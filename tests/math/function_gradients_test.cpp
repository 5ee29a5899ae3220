#include "math/function_gradients.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <vector>

#include <doctest/doctest.h>

#include "close_to.h"
#include "math/instruction_set.h"
#include "math/random_matrix.h"
#include "math/with_instruction_sets.h"

namespace headlight::function_gradients_test {
namespace {

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double gelu(double x) { return x * 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double gelu_tanh(double x) {
  const double root = std::sqrt(2.0 / std::numbers::pi);
  return x * sigmoid(2.0 * root * (x + 0.044715 * x * x * x));
}

using Function = double (*)(double);
const std::map<Activation, Function> kExact = {
    {Activation::linear, [](double x) { return x; }},
    {Activation::relu, [](double x) { return std::max(x, 0.0); }},
    {Activation::relu6, [](double x) { return std::clamp(x, 0.0, 6.0); }},
    {Activation::relu2, [](double x) { return std::max(x, 0.0) * std::max(x, 0.0); }},
    {Activation::leaky_relu, [](double x) { return x > 0.0 ? x : 0.01 * x; }},
    {Activation::gelu, gelu},
    {Activation::gelu_tanh, gelu_tanh},
    {Activation::gelu_10, [](double x) { return std::min(gelu(x), 10.0); }},
    {Activation::quick_gelu, [](double x) { return x * sigmoid(1.702 * x); }},
    {Activation::silu, [](double x) { return x * sigmoid(x); }},
    {Activation::mish, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {Activation::tanh, [](double x) { return std::tanh(x); }},
    {Activation::sigmoid, sigmoid}};

std::vector<float> slopes_at(Activation activation, const std::vector<float>& x) {
  std::vector<float> slopes(x.size(), 1.0F);
  activation_gradient(activation, ConstMatrix(x.data(), 1, x.size()),
                      Matrix(slopes.data(), 1, x.size()));
  return slopes;
}

TEST_CASE("the slopes of all activations agree with differences in float64") {
  std::vector<float> inputs;
  for (int i = -1203; i <= 1203; ++i) inputs.push_back(0.0117F * static_cast<float>(i) + 0.001F);
  with_each_instruction_set([&] {
    for (const auto& [activation, exact] : kExact) {
      CAPTURE(static_cast<int>(activation));
      std::vector<double> expected;
      for (const float x : inputs) {
        constexpr double kStep = 1e-5;
        const double place = x;
        expected.push_back((exact(place + kStep) - exact(place - kStep)) / (2.0 * kStep));
      }
      CHECK(close_to(slopes_at(activation, inputs), expected, {.absolute = 2e-6}));
    }
  });
}

TEST_CASE("the slopes far away are finite") {
  const float largest = std::numeric_limits<float>::max();
  const std::vector<float> inputs = {-largest, -1e20F, -200.0F, 200.0F, 1e20F};
  with_each_instruction_set([&] {
    for (const auto& [activation, exact] : kExact) {
      CAPTURE(static_cast<int>(activation));
      for (const float slope : slopes_at(activation, inputs)) CHECK(std::isfinite(slope));
    }
  });
}

TEST_CASE("the gradient is multiplied by the slope, in each row and nowhere else") {
  const RandomMatrix x(3, 21, 1, 2);
  const RandomMatrix before(3, 21, 2, 5);
  with_each_instruction_set([&] {
    RandomMatrix gradient = before;
    activation_gradient(Activation::relu, x.view(), gradient.view());
    std::vector<double> expected;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 21; ++j) {
        expected.push_back(x.view().row(i)[j] > 0.0F ? double{before.view().row(i)[j]} : 0.0);
      }
    }
    CHECK(close_to(elements(gradient.view()), expected, {}));
    CHECK(gradient.gaps_are_untouched());
  });
}

TEST_CASE("the gradient of softmax agrees with its formula in float64") {
  for (const std::size_t n : {1, 5, 16, 37}) {
    RandomMatrix p(4, n, 1, 3);
    softmax_rows(p.view());
    const RandomMatrix dy(4, n, 2, 1);
    std::vector<double> expected;
    for (std::size_t i = 0; i < 4; ++i) {
      double mean = 0.0;
      const auto weights = p.view().row(i);
      const auto slopes = dy.view().row(i);
      for (std::size_t j = 0; j < n; ++j) mean += double{weights[j]} * double{slopes[j]};
      for (std::size_t j = 0; j < n; ++j) {
        expected.push_back(0.5 * double{weights[j]} * (double{slopes[j]} - mean));
      }
    }
    with_each_instruction_set([&] {
      RandomMatrix found = dy;
      softmax_gradient(p.view(), 0.5F, found.view());
      CHECK(close_to(elements(found.view()), expected, {.absolute = 1e-6}));
      CHECK(found.gaps_are_untouched());
    });
  }
}

/// LN(x) of one row in float64.
std::vector<double> normed(const LayerNorm& norm, const std::vector<double>& x) {
  const double count = static_cast<double>(x.size());
  double mean = 0.0;
  for (const double value : x) mean += value / count;
  if (norm.form == LayerNormForm::rms) mean = 0.0;
  double variance = 0.0;
  for (const double value : x) variance += (value - mean) * (value - mean) / count;
  const double epsilon = norm.epsilon;
  const double divisor = norm.form == LayerNormForm::deviation ? std::sqrt(variance) + epsilon
                                                               : std::sqrt(variance + epsilon);
  std::vector<double> out;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double bias = norm.bias.empty() ? 0.0 : double{norm.bias[j]};
    out.push_back((x[j] - mean) / divisor * double{norm.gain[j]} + bias);
  }
  return out;
}

double dot(const std::vector<double>& a, std::span<const float> b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * double{b[j]};
  return sum;
}

TEST_CASE("the gradients of all forms of LayerNorm agree with differences in float64") {
  constexpr double kStep = 1e-6;
  for (const LayerNormForm form :
       {LayerNormForm::variance, LayerNormForm::deviation, LayerNormForm::rms}) {
    CAPTURE(static_cast<int>(form));
    for (const std::size_t d : {2, 16, 37}) {
      CAPTURE(d);
      const auto gain = random_floats(d, 1);
      const auto bias = random_floats(d, 2);
      const LayerNorm norm{gain, bias, 1e-3F, form};
      const RandomMatrix x(3, d, 3, 1);
      const RandomMatrix dy(3, d, 4, 2);
      std::vector<double> dx;
      std::vector<double> dgain(d, 1.0);
      std::vector<double> dbias(d, 1.0);
      for (std::size_t i = 0; i < 3; ++i) {
        const auto row = x.view().row(i);
        const std::vector<double> numbers(row.begin(), row.end());
        for (std::size_t j = 0; j < d; ++j) {
          auto above = numbers;
          auto below = numbers;
          above[j] += kStep;
          below[j] -= kStep;
          const auto slopes = dy.view().row(i);
          dx.push_back((dot(normed(norm, above), slopes) - dot(normed(norm, below), slopes)) /
                       (2.0 * kStep));
          const auto ones = std::vector<float>(d, 1.0F);
          dgain[j] += normed({ones, {}, norm.epsilon, form}, numbers)[j] * double{slopes[j]};
          dbias[j] += double{slopes[j]};
        }
      }
      with_each_instruction_set([&] {
        RandomMatrix found(3, d, 5, 1);
        std::vector<float> own_gain(d, 1.0F);
        std::vector<float> own_bias(d, 1.0F);
        layer_norm_gradient(norm, x.view(), dy.view(), found.view(), {own_gain, own_bias});
        CHECK(close_to(elements(found.view()), dx, {.absolute = 1e-5, .relative = 1e-5}));
        CHECK(found.gaps_are_untouched());
        CHECK(close_to(own_gain, dgain, {.absolute = 1e-5}));
        CHECK(close_to(own_bias, dbias, {.absolute = 1e-5}));
        RandomMatrix in_place = dy;
        layer_norm_gradient({gain, {}, norm.epsilon, form}, x.view(), in_place.view(),
                            in_place.view(), {own_gain, {}});
        CHECK(elements(in_place.view()) == elements(found.view()));
      });
    }
  }
}

TEST_CASE("equal numbers have no deviation to follow: the gradient is finite") {
  const std::vector<float> gain(20, 1.0F);
  const std::vector<float> x(20, 0.7F);
  const auto dy = random_floats(20, 1);
  with_each_instruction_set([&] {
    for (const LayerNormForm form :
         {LayerNormForm::variance, LayerNormForm::deviation, LayerNormForm::rms}) {
      std::vector<float> dx(20);
      std::vector<float> dgain(20, 0.0F);
      layer_norm_gradient({gain, {}, 1e-5F, form}, ConstMatrix(x.data(), 1, 20),
                          ConstMatrix(dy.data(), 1, 20), Matrix(dx.data(), 1, 20), {dgain, {}});
      for (const float slope : dx) CHECK(std::isfinite(slope));
    }
  });
}

}  // namespace
}  // namespace headlight::function_gradients_test
