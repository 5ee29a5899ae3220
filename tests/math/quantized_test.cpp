#include "math/quantized.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "close_to.h"
#include "math/applied_layer.h"
#include "math/instruction_set.h"
#include "math/linear.h"
#include "math/prepared_layer.h"
#include "math/random_matrix.h"
#include "math/with_instruction_sets.h"

namespace headlight::quantized_test {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Shape {
  std::size_t k, o;
};
const Shape kShapes[] = {{1, 1},    {2, 16},    {3, 17},   {5, 40},    {63, 7},
                         {66, 100}, {384, 130}, {1023, 9}, {1025, 33}, {3071, 48}};

std::vector<std::size_t> row_counts() {
  std::vector<std::size_t> counts;
  for (std::size_t n = 1; n <= 40; ++n) counts.push_back(n);
  counts.push_back(97);
  return counts;
}

/// A row's integers and scale, as quantized.h says them.
struct Integers {
  std::vector<std::int32_t> numbers;
  float scale = 0.0F;
  std::int32_t zero = 0;
};
std::int32_t nearest(float x) { return static_cast<std::int32_t>(std::nearbyint(x)); }

Integers integers_of(std::span<const float> row, float most) {
  Integers out;
  if (most > 0.0F) out.scale = most / 127.0F;
  for (const float x : row) {
    out.numbers.push_back(most > 0.0F ? nearest(x * (127.0F / most)) : 0);
  }
  return out;
}
Integers weight_integers(std::span<const float> row) {
  float most = 0.0F;
  for (const float x : row) most = std::max(most, std::abs(x));
  return integers_of(row, most);
}
/// Without the zero point.
Integers x_integers(std::span<const float> row) {
  float lowest = 0.0F;
  float highest = 0.0F;
  for (const float x : row) {
    lowest = std::min(lowest, x);
    highest = std::max(highest, x);
  }
  const float most = highest / 2.0F - lowest / 2.0F;
  Integers out = integers_of(row, most);
  if (most > 0.0F) out.zero = nearest(-lowest * (127.0F / most));
  return out;
}

/// Row by row: the sum of integer products, then one fused multiply-add.
std::vector<float> reference(ConstMatrix x, ConstMatrix weight, std::span<const float> bias) {
  std::vector<float> y;
  for (std::size_t i = 0; i < x.rows; ++i) {
    const Integers a = x_integers(x.row(i));
    for (std::size_t o = 0; o < weight.rows; ++o) {
      const Integers b = weight_integers(weight.row(o));
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < x.cols; ++k) sum += a.numbers[k] * b.numbers[k];
      y.push_back(
          std::fma(static_cast<float>(sum), a.scale * b.scale, bias.empty() ? 0.0F : bias[o]));
    }
  }
  return y;
}

PreparedLayer quantized(ConstMatrix weight, std::span<const float> bias) {
  return {Linear{table(weight), bias}, LinearForm::int8};
}

TEST_CASE("every instruction set gives the bits of plain loops over the integers") {
  for (const auto& [k, o] : kShapes) {
    const RandomMatrix weight(o, k, 1);
    const auto bias = random_floats(o, 2);
    const RandomMatrix x(97, k, 3, 5);
    const auto expected = reference(x.view(), weight.view(), bias);
    const auto without_bias = reference(x.view(), weight.view(), {});
    with_each_instruction_set([&, k = k, o = o] {
      CAPTURE(k);
      CAPTURE(o);
      const PreparedLayer layer = quantized(weight.view(), bias);
      const PreparedLayer plain = quantized(weight.view(), {});
      for (const std::size_t n : row_counts()) {
        CAPTURE(n);
        const auto end = static_cast<std::ptrdiff_t>(n * o);
        const ConstMatrix rows = x.view().row_range(0, n);
        CHECK(applied(plain.layer, rows) ==
              std::vector<float>(without_bias.begin(), without_bias.begin() + end));
        const std::vector<float> first(expected.begin(), expected.begin() + end);
        if (has_fused_multiply_add()) {
          CHECK(applied(layer.layer, rows) == first);
        } else {
          const std::vector<double> wide(first.begin(), first.end());
          CHECK(close_to(applied(layer.layer, rows), wide, {.absolute = 1e-5}));
        }
      }
    });
  }
}

/// Rows that are not finite, or as good as zero.
struct UnusualRow {
  std::vector<float> x;
  float scale;
};
const UnusualRow kUnusualRows[] = {
    {{0.0F, -0.0F, 0.0F}, 0.0F}, {{1e-31F, -1e-38F}, 0.0F},  {{1.0F, kNaN, 2.0F}, kNaN},
    {{kInfinity}, kNaN},         {{-kInfinity, 1.0F}, kNaN}, {{-kNaN, kInfinity, 5.0F}, kNaN},
};

/// The numbers after `zeros` zeros.
std::vector<float> after_zeros(std::size_t zeros, const std::vector<float>& numbers) {
  std::vector<float> x(zeros, 0.0F);
  x.insert(x.end(), numbers.begin(), numbers.end());
  return x;
}

TEST_CASE("integers of x are the nearest, halves to even, from 0 to 254 with a zero point") {
  struct Row {
    std::vector<float> x;
    float scale;
    std::int32_t zero;
    std::vector<int> integers;  // without the zero point
  };
  const Row rows[] = {
      {{127.0F, 0.5F, 1.5F, -0.5F, -2.5F, -127.0F}, 1.0F, 127, {127, 0, 2, 0, -2, -127}},
      {{-254.0F, 3.0F, 1.0F, 254.0F}, 2.0F, 127, {-127, 2, 0, 127}},
      {{254.0F, 3.4F, 0.5F}, 1.0F, 0, {254, 3, 0}},
      {{-254.0F, -3.4F}, 1.0F, 254, {-254, -3}},
      {{253.5F, -0.5F, 1.0F}, 1.0F, 0, {254, 0, 1}},
      {{3e38F, -3e38F, 1e30F}, 3e38F / 127.0F, 127, {127, -127, 0}},
  };
  // The numbers stand at the front and, after a long row of zeros, at the end.
  for (const auto& [numbers, scale, zero, integers] : rows) {
    for (const std::size_t zeros : {0, 61}) {
      const auto x = after_zeros(zeros, numbers);
      with_each_instruction_set([&, &scale = scale, &zero = zero, &integers = integers] {
        CAPTURE(zeros);
        std::vector<std::int16_t> pairs(128);
        std::vector<std::uint8_t> fours(128);
        const RowScale found =
            quantize_row(x, QuantizedLayout::pairs, reinterpret_cast<std::byte*>(pairs.data()));
        quantize_row(x, QuantizedLayout::fours, reinterpret_cast<std::byte*>(fours.data()));
        CHECK(found.scale == scale);
        CHECK(found.zero == zero);
        for (std::size_t i = 0; i < integers.size(); ++i) {
          CHECK(pairs[zeros + i] == integers[i]);
          CHECK(fours[zeros + i] == zero + integers[i]);
        }
        for (std::size_t i = 0; i < zeros; ++i) CHECK(pairs[i] == 0);
        CHECK(pairs[zeros + integers.size()] == 0);  // what fills up
      });
    }
  }
}

TEST_CASE("no integer of x leaves its byte") {
  with_each_instruction_set([&] {
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
      auto x = random_floats(33, seed);
      x[0] *= static_cast<float>(seed % 7);
      std::vector<std::int16_t> pairs(64);
      std::vector<std::uint8_t> fours(64);
      const RowScale scale =
          quantize_row(x, QuantizedLayout::pairs, reinterpret_cast<std::byte*>(pairs.data()));
      quantize_row(x, QuantizedLayout::fours, reinterpret_cast<std::byte*>(fours.data()));
      for (std::size_t i = 0; i < x.size(); ++i) CHECK(fours[i] == scale.zero + pairs[i]);
    }
  });
}

TEST_CASE("integers of weights are the nearest, halves to even, and the largest is 127") {
  struct Row {
    std::vector<float> x;
    float scale;
    std::vector<int> integers;
  };
  const Row rows[] = {
      {{127.0F, 0.5F, 1.5F, -0.5F, -2.5F, -126.5F}, 1.0F, {127, 0, 2, 0, -2, -126}},
      {{-254.0F, 3.0F, 1.0F}, 2.0F, {-127, 2, 0}},
      {{1e30F, -3e38F}, 3e38F / 127.0F, {0, -127}},
  };
  for (const auto& [numbers, scale, integers] : rows) {
    for (const std::size_t zeros : {0, 61}) {
      const auto weights = after_zeros(zeros, numbers);
      with_each_instruction_set([&, &scale = scale, &integers = integers] {
        std::vector<std::int16_t> found(128);
        CHECK(quantize_weights(weights, found.data()) == scale);
        for (std::size_t i = 0; i < integers.size(); ++i) CHECK(found[zeros + i] == integers[i]);
        CHECK(found[zeros + integers.size()] == 0);
      });
    }
  }
}

TEST_CASE("rows that are not finite have no scale, and the integers of zeros") {
  for (const auto& [numbers, scale] : kUnusualRows) {
    for (const std::size_t zeros : {0, 61}) {
      const auto x = after_zeros(zeros, numbers);
      with_each_instruction_set([&, &scale = scale] {
        std::vector<std::int16_t> weights(128, 1);
        std::vector<std::uint8_t> fours(128, 1);
        const RowScale found =
            quantize_row(x, QuantizedLayout::fours, reinterpret_cast<std::byte*>(fours.data()));
        const float of_weights = quantize_weights(x, weights.data());
        CHECK((std::isnan(scale) ? std::isnan(found.scale) : found.scale == scale));
        CHECK((std::isnan(scale) ? std::isnan(of_weights) : of_weights == scale));
        for (std::size_t i = 0; i < x.size(); ++i) CHECK(fours[i] == found.zero);
        for (std::size_t i = 0; i < x.size(); ++i) CHECK(weights[i] == 0);
      });
    }
  }
}

TEST_CASE("rounding costs what it may: half a scale a number of x and of the weights") {
  for (const auto& [k, o] : kShapes) {
    const RandomMatrix weight(o, k, 1);
    const auto bias = random_floats(o, 2);
    const RandomMatrix x(9, k, 3);
    const PreparedLayer layer = quantized(weight.view(), bias);
    const auto y = applied(layer.layer, x.view());
    for (std::size_t i = 0; i < 9; ++i) {
      const auto row = x.view().row(i);
      const auto x_scale = static_cast<double>(x_integers(row).scale);
      for (std::size_t j = 0; j < o; ++j) {
        const auto w = weight.view().row(j);
        const auto w_scale = static_cast<double>(weight_integers(w).scale);
        double exact = static_cast<double>(bias[j]);
        double bound = 1e-5;
        for (std::size_t l = 0; l < k; ++l) {
          const auto a = static_cast<double>(row[l]);
          const auto b = static_cast<double>(w[l]);
          exact += a * b;
          bound +=
              0.5001 * (x_scale * std::abs(b) + w_scale * std::abs(a)) + 0.2501 * x_scale * w_scale;
        }
        CHECK(std::abs(static_cast<double>(y[i * o + j]) - exact) <= bound);
      }
    }
  }
}

TEST_CASE("the largest integers of the deepest rows do not overflow") {
  const std::size_t k = kMostQuantizedDepth;
  const std::vector<float> ones(k, 1.0F);
  const std::vector<float> minus(k, -1.0F);
  with_each_instruction_set([&] {
    const PreparedLayer layer = quantized({ones.data(), 1, k}, {});
    const double scale = 1.0 / 127.0;
    const double most = static_cast<double>(k) * 127.0 * 127.0 * scale * scale;
    const Tolerance tolerance{.absolute = 0, .relative = 1e-6};
    CHECK(close_to(applied(layer.layer, {ones.data(), 1, k}), std::vector{most}, tolerance));
    CHECK(close_to(applied(layer.layer, {minus.data(), 1, k}), std::vector{-most}, tolerance));
  });
}

TEST_CASE("a row has the same bits among any others, NaN too, and on any number of threads") {
  check_bits_of_rows(LinearForm::int8);
}

TEST_CASE("layers of one product may be quantized or not, and an activation follows the bias") {
  const RandomMatrix weights[] = {{40, 24, 1}, {17, 24, 2}, {130, 24, 3}};
  const auto bias = random_floats(130, 4);
  const RandomMatrix x(33, 24, 5);
  const PreparedLayer a = quantized(weights[0].view(), std::span(bias).first(40));
  const Linear b{table(weights[1].view()), std::span(bias).first(17)};
  const PreparedLayer c = quantized(weights[2].view(), bias);
  RandomMatrix outs[] = {{33, 40, 4}, {33, 17, 5}, {33, 130, 6}};
  const Linear* layers[] = {&b, &a.layer, &c.layer};
  const Matrix places[] = {outs[1].view(), outs[0].view(), outs[2].view()};
  std::vector<LinearOutput> all;
  for (std::size_t i = 0; i < 3; ++i) all.push_back({layers[i], places[i], Activation::relu});
  apply_all(all, x.view());
  for (std::size_t i = 0; i < 3; ++i) {
    auto expected = applied(*layers[i], x.view());
    for (float& value : expected) value = std::max(value, 0.0F);
    CHECK(elements(places[i]) == expected);
  }
}

TEST_CASE("only a layer of integers reads a coarse activation") {
  const RandomMatrix weight(3, 20, 1);
  const PreparedLayer rounded = quantized(weight.view(), {});
  const Linear exact{table(weight.view()), {}};
  CHECK(activation_for(rounded.layer, Activation::gelu) == Activation::gelu_coarse);
  CHECK(activation_for(rounded.layer, Activation::silu) == Activation::silu);
  CHECK(activation_for(exact, Activation::gelu) == Activation::gelu);
}

TEST_CASE("outputs of zeros give the bias, and outputs that are not finite give no number") {
  RandomMatrix weight(3, 20, 1);
  for (float& number : weight.view().row(0)) number = 0.0F;
  weight.view().row(2)[19] = kInfinity;
  const std::vector<float> bias = {0.5F, 0.5F, 0.5F};
  const RandomMatrix x(2, 20, 2);
  const auto y = applied(quantized(weight.view(), bias).layer, x.view());
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(y[3 * i] == 0.5F);
    CHECK(std::isfinite(y[3 * i + 1]));
    CHECK(std::isnan(y[3 * i + 2]));
  }
}

}  // namespace
}  // namespace headlight::quantized_test
