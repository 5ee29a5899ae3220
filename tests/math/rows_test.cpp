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
#include "math/with_instruction_sets.h"

namespace headlight::rows_test {
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
    const auto before = scores;
    with_each_instruction_set([&, &to = scores, &shares = expected] {
      to = before;
      softmax_rows(Matrix(to.data(), 1, to.size()));
      CHECK(to == shares);
    });
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

TEST_CASE("exp_row scales, adds the bias, and gives the sum that softmax divides by") {
  with_each_instruction_set([] {
    for (std::size_t n = 1; n <= 40; ++n) {
      for (const bool biased : {false, true}) {
        CAPTURE(n);
        CAPTURE(biased);
        auto row = random_floats(n, n);
        auto bias = random_floats(biased ? n : 0, n + 100);
        if (biased && n > 2) bias[1] = -kInfinity;
        std::vector<double> expected;
        for (std::size_t j = 0; j < n; ++j)
          expected.push_back(3.0 * row[j] + (biased ? bias[j] : 0));
        const double top = *std::max_element(expected.begin(), expected.end());
        for (double& x : expected) x = std::exp(x - top);
        const float sum = exp_row(row, 3.0F, bias);
        CHECK(close_to(row, expected, {.relative = 1e-6}));
        CHECK(close_to(std::span(&sum, 1),
                       std::vector{std::accumulate(expected.begin(), expected.end(), 0.0)},
                       {.relative = 1e-6}));
      }
    }
  });
}

TEST_CASE("softmax and layer norm of a row depend on its numbers alone, not on its place") {
  with_each_instruction_set([] {
    for (std::size_t d = 1; d <= 40; ++d) {
      CAPTURE(d);
      RandomMatrix apart(7, d, d, 3);
      const auto together = elements(apart.view());
      const std::vector<float> ones(d, 1.0F);
      auto normal = together;
      layer_norm({ones, ones}, ConstMatrix(together.data(), 7, d), Matrix(normal.data(), 7, d));
      auto shares = together;
      softmax_rows(Matrix(shares.data(), 7, d));
      RandomMatrix apart_too = apart;
      layer_norm({ones, ones}, apart.view(), apart.view());
      softmax_rows(apart_too.view());
      CHECK(elements(apart.view()) == normal);
      CHECK(elements(apart_too.view()) == shares);
      CHECK(apart.gaps_are_untouched());
      CHECK(apart_too.gaps_are_untouched());
    }
  });
}

TEST_CASE("layer norm of numbers as large, small and far apart as floats are") {
  struct Row {
    std::vector<float> x;
    std::vector<float> expected;
  };
  const float tiny = std::numeric_limits<float>::denorm_min();
  const Row rows[] = {
      {{kLargest, -kLargest, -kLargest}, {1.41421356F, -0.707106781F, -0.707106781F}},
      {{3 * tiny, 0.0F, 0.0F}, {1.41421356F, -0.707106781F, -0.707106781F}},
      {{kLargest, kLargest, kLargest, 0.0F},
       {0.577350269F, 0.577350269F, 0.577350269F, -1.7320508F}},
  };
  for (const auto& [x, expected] : rows) {
    const std::vector<float> ones(x.size(), 1.0F);
    const std::vector<float> zeros(x.size(), 0.0F);
    with_each_instruction_set([&] {
      std::vector<float> out(x.size());
      layer_norm({ones, zeros, 0.0F, LayerNormForm::deviation}, ConstMatrix(x.data(), 1, x.size()),
                 Matrix(out.data(), 1, x.size()));
      CHECK(
          close_to(out, std::vector<double>(expected.begin(), expected.end()), {.relative = 2e-7}));
    });
  }
}

std::vector<double> normalized(ConstMatrix x, const LayerNorm& norm) {
  std::vector<double> out;
  for (std::size_t i = 0; i < x.rows; ++i) {
    const auto row = x.row(i);
    const auto d = static_cast<double>(x.cols);
    const bool centred = norm.form != LayerNormForm::rms;
    const double mean = centred ? std::accumulate(row.begin(), row.end(), 0.0) / d : 0.0;
    double variance = 0.0;
    for (const float value : row) variance += std::pow(value - mean, 2.0) / d;
    const double epsilon = norm.epsilon;
    const double divisor = norm.form == LayerNormForm::deviation ? std::sqrt(variance) + epsilon
                                                                 : std::sqrt(variance + epsilon);
    for (std::size_t j = 0; j < x.cols; ++j) {
      const double bias = norm.bias.empty() ? 0.0 : norm.bias[j];
      out.push_back((row[j] - mean) / divisor * norm.gain[j] + bias);
    }
  }
  return out;
}

TEST_CASE("layer norm agrees with float64 in each form, in place too, whatever the rows' mean") {
  for (const auto form : {LayerNormForm::variance, LayerNormForm::deviation, LayerNormForm::rms}) {
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
        const LayerNorm unbiased{gain, {}, 1e-3F, form};
        RandomMatrix bare(5, d, 4, 7);
        layer_norm(unbiased, x.view(), bare.view());
        CHECK(close_to(elements(bare.view()), normalized(x.view(), unbiased),
                       {.absolute = 1e-6, .relative = 1e-6}));
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
  multiply_each(ConstMatrix(others.data(), 2, 2), Matrix(values.data(), 2, 2, 3));
  CHECK(values == std::vector<float>{1110, 4440, 9, 3990, 9760, 9});
}

/// Row i of x [n, e] with its pairs turned by row i of `turns` [n, 2p], in float64.
std::vector<double> turned(ConstMatrix x, ConstMatrix turns, bool interleaved) {
  const std::size_t pairs = turns.cols / 2;
  std::vector<double> out;
  for (std::size_t i = 0; i < x.rows; ++i) {
    const auto row = x.row(i);
    std::vector<double> own(row.begin(), row.end());
    for (std::size_t k = 0; k < pairs; ++k) {
      const std::size_t one = interleaved ? 2 * k : k;
      const std::size_t other = interleaved ? 2 * k + 1 : k + pairs;
      const double cosine = turns.row(i)[k];
      const double sine = turns.row(i)[pairs + k];
      own[one] = row[one] * cosine - row[other] * sine;
      own[other] = row[other] * cosine + row[one] * sine;
    }
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}

TEST_CASE("rotation agrees with float64 for both orders of pairs and leaves the rest of a row") {
  with_each_instruction_set([] {
    for (const std::size_t pairs : {1, 2, 7, 8, 16, 33}) {
      for (const bool interleaved : {false, true}) {
        CAPTURE(pairs);
        CAPTURE(interleaved);
        RandomMatrix x(5, 2 * pairs + 3, 1, 4);
        const RandomMatrix turns(5, 2 * pairs, 2);
        const auto expected = turned(x.view(), turns.view(), interleaved);
        rotate(turns.view(), interleaved, x.view());
        CHECK(close_to(elements(x.view()), expected, {.absolute = 1e-6, .relative = 1e-6}));
        CHECK(x.gaps_are_untouched());
      }
    }
  });
}

}  // namespace
}  // namespace headlight::rows_test
