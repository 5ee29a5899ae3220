// Softmax, layer normalization and sums: what works on one row at a time.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "close_to.h"
#include "math/functions.h"
#include "math/random_matrix.h"

namespace headlight {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();

std::vector<double> softmax(std::span<const float> row) {
  const double top = *std::max_element(row.begin(), row.end());
  std::vector<double> out;
  for (const float x : row) out.push_back(std::exp(static_cast<double>(x) - top));
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& x : out) x /= sum;
  return out;
}

TEST_CASE("softmax of scores that are huge, equal, masked or alone") {
  struct Row {
    std::vector<float> scores;
    std::vector<float> expected;
  };
  const Row rows[] = {
      {{7.0F}, {1.0F}},
      {{-1e30F}, {1.0F}},
      {{0.0F, 0.0F}, {0.5F, 0.5F}},
      {{1e30F, 1e30F, -1e30F, 0.0F}, {0.5F, 0.5F, 0.0F, 0.0F}},
      {{kLargest, -kLargest}, {1.0F, 0.0F}},
      {{-1e4F, 0.0F}, {0.0F, 1.0F}},
      {{-kInfinity, 3.0F, -kInfinity, 3.0F}, {0.0F, 0.5F, 0.0F, 0.5F}},
      {{-kInfinity, -kLargest}, {0.0F, 1.0F}},
  };
  for (auto [scores, expected] : rows) {
    softmax_rows(Matrix(scores.data(), 1, scores.size()));
    CHECK(scores == expected);
  }
}

TEST_CASE("each row of a softmax sums to 1 and agrees with float64, short or long, part or whole") {
  for (const std::size_t cols : {1, 2, 3, 31, 64, 512, 4097}) {
    for (const std::size_t gap : {0, 5}) {
      for (const float spread : {0.0F, 1.0F, 30.0F}) {
        CAPTURE(cols);
        CAPTURE(spread);
        RandomMatrix scores(4, cols, cols, gap);
        for (std::size_t i = 0; i < 4; ++i) {
          for (float& x : scores.view().row(i)) x *= spread;
        }
        const RandomMatrix before = scores;
        softmax_rows(scores.view());
        for (std::size_t i = 0; i < 4; ++i) {
          const auto row = scores.view().row(i);
          CHECK(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1.0) <= 1e-6);
          CHECK(
              close_to(row, softmax(before.view().row(i)), {.absolute = 1e-12, .relative = 1e-5}));
        }
        CHECK(scores.gaps_are_untouched());
      }
    }
  }
}

std::vector<double> normalized(ConstMatrix x, const LayerNorm& norm) {
  std::vector<double> out;
  for (std::size_t i = 0; i < x.rows; ++i) {
    const auto row = x.row(i);
    const auto d = static_cast<double>(x.cols);
    const double mean = std::accumulate(row.begin(), row.end(), 0.0) / d;
    double variance = 0.0;
    for (const float value : row) variance += std::pow(value - mean, 2.0) / d;
    const double epsilon = norm.epsilon;
    const double divisor = norm.form == LayerNormForm::variance ? std::sqrt(variance + epsilon)
                                                                : std::sqrt(variance) + epsilon;
    for (std::size_t j = 0; j < x.cols; ++j) {
      out.push_back((row[j] - mean) / divisor * norm.gain[j] + norm.bias[j]);
    }
  }
  return out;
}

TEST_CASE("layer norm agrees with float64 in both forms, in place too, whatever the rows' mean") {
  for (const auto form : {LayerNormForm::variance, LayerNormForm::deviation}) {
    for (const std::size_t d : {1, 2, 63, 384}) {
      for (const float mean : {0.0F, 1000.0F}) {
        CAPTURE(d);
        CAPTURE(mean);
        const auto gain = random_floats(d, 1);
        const auto bias = random_floats(d, 2);
        const LayerNorm norm{gain, bias, 1e-3F, form};
        RandomMatrix x(5, d, 3, 2);
        for (std::size_t i = 0; i < 5; ++i) {
          for (float& value : x.view().row(i)) value += mean;
        }
        const auto expected = normalized(x.view(), norm);
        RandomMatrix out(5, d, 4, 7);
        layer_norm(norm, x.view(), out.view());
        CHECK(close_to(elements(out.view()), expected, {.absolute = 1e-6, .relative = 1e-6}));
        CHECK(out.gaps_are_untouched());
        layer_norm(norm, x.view(), x.view());
        CHECK(elements(x.view()) == elements(out.view()));
      }
    }
  }
}

TEST_CASE("the two forms of layer norm by hand, and a row without variance gives the bias") {
  const std::vector<float> gain = {2.0F, 2.0F};
  const std::vector<float> bias = {1.0F, -1.0F};
  struct Row {
    std::vector<float> x;
    float epsilon;
    LayerNormForm form;
    std::vector<float> expected;
  };
  const Row rows[] = {
      // mean 2, variance 9, deviation 3
      {{-1.0F, 5.0F}, 16.0F, LayerNormForm::variance, {-0.2F, 0.2F}},  // ∓3 / 5
      {{-1.0F, 5.0F}, 3.0F, LayerNormForm::deviation, {0.0F, 0.0F}},   // ∓3 / 6
      {{-1.0F, 5.0F}, 0.0F, LayerNormForm::deviation, {-1.0F, 1.0F}},  // ∓3 / 3
      {{1e6F, 1e6F}, 1e-12F, LayerNormForm::variance, {1.0F, -1.0F}},
      {{1e6F, 1e6F}, 1e-12F, LayerNormForm::deviation, {1.0F, -1.0F}},
  };
  for (const auto& [x, epsilon, form, expected] : rows) {
    std::vector<float> out(2);
    layer_norm({gain, bias, epsilon, form}, ConstMatrix(x.data(), 1, 2), Matrix(out.data(), 1, 2));
    CHECK(close_to(out, std::vector<double>(expected.begin(), expected.end()), {.absolute = 1e-7}));
  }
}

TEST_CASE("sums add row to row and the bias to each row") {
  std::vector<float> values = {1, 2, 9, 3, 4, 9};  // [2, 2] with a gap of one
  const std::vector<float> others = {10, 20, 30, 40};
  const std::vector<float> bias = {100, 200};
  add(ConstMatrix(others.data(), 2, 2), Matrix(values.data(), 2, 2, 3));
  CHECK(values == std::vector<float>{11, 22, 9, 33, 44, 9});
  add_bias(bias, Matrix(values.data(), 2, 2, 3));
  CHECK(values == std::vector<float>{111, 222, 9, 133, 244, 9});
}

}  // namespace
}  // namespace headlight
