// The activations and exp against float64, in units in the last place, with every instruction
// set of the processor; and the same bits from all of them that round a multiply-add once.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include <doctest/doctest.h>

#include "math/exp_kernel.h"
#include "math/functions.h"
#include "math/instruction_set.h"
#include "math/random_matrix.h"
#include "math/with_instruction_sets.h"

namespace headlight::ulp_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();

using Function = double (*)(double);

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double gelu(double x) { return x * 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double gelu_tanh(double x) {
  const double root = std::sqrt(2.0 / std::numbers::pi);
  return x * sigmoid(2.0 * root * (x + 0.044715 * x * x * x));
}
double mish(double x) {
  const double e = std::exp(std::min(x, 40.0));
  return x * e * (e + 2.0) / (e * (e + 2.0) + 2.0);
}

/// What functions.h promises: `ulp`, or where the argument's own rounding makes more of it, `slope`
/// ulp more for each 1 of -x.
struct Bound {
  Activation activation;
  Function exact;
  double ulp;
  double slope;
  double ulp_unfused;  // without a multiply-add that is rounded once
  double slope_unfused;
};

const Bound kBounds[] = {
    {Activation::gelu, gelu, 4.0, 0.0, 4.0, 6.0},
    {Activation::gelu_tanh, gelu_tanh, 4.0, 20.0, 4.0, 20.0},
    {Activation::quick_gelu, [](double x) { return x * sigmoid(1.702 * x); }, 3.0, 2.0, 3.0, 2.0},
    {Activation::silu, [](double x) { return x * sigmoid(x); }, 3.0, 0.0, 3.0, 0.0},
    {Activation::mish, mish, 5.0, 0.0, 5.0, 0.0},
    {Activation::tanh, [](double x) { return std::tanh(x); }, 2.0, 0.0, 2.0, 0.0},
    {Activation::sigmoid, sigmoid, 3.0, 0.0, 3.0, 0.0},
};

/// How far off, in ulps of the float nearest to `exact`.
double ulps(float found, double exact) {
  const auto nearest = static_cast<float>(exact);
  if (std::isinf(nearest) || std::isinf(found)) return found == nearest ? 0.0 : kInfinity;
  const float size = std::abs(nearest);
  const float next = std::nextafter(size, 0.0F);
  const float ulp = size == 0.0F ? std::numeric_limits<float>::denorm_min() : size - next;
  return std::abs(static_cast<double>(found) - exact) / static_cast<double>(ulp);
}

/// Every `step`th bit pattern that is finite.
std::vector<float> sampled_floats(std::uint32_t step) {
  std::vector<float> floats;
  for (std::uint64_t pattern = 0; pattern <= 0xFFFFFFFFU; pattern += step) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
    if (std::isfinite(x)) floats.push_back(x);
  }
  return floats;
}

std::vector<float> activated(Activation activation, std::vector<float> values) {
  activate(activation, Matrix(values.data(), 1, values.size()));
  return values;
}

TEST_CASE("activations stay within the documented ulps of the exact ones, over all floats") {
  const auto inputs = sampled_floats(3989);
  for (const Bound& bound : kBounds) {
    CAPTURE(static_cast<int>(bound.activation));
    std::vector<double> exact;
    for (const float x : inputs) exact.push_back(bound.exact(x));
    with_each_instruction_set([&] {
      const double ulp = has_fused_multiply_add() ? bound.ulp : bound.ulp_unfused;
      const double slope = has_fused_multiply_add() ? bound.slope : bound.slope_unfused;
      const auto found = activated(bound.activation, inputs);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const double allowed = ulp + slope * static_cast<double>(std::max(-inputs[i], 0.0F));
        const double off = ulps(found[i], exact[i]);
        if (off <= allowed) continue;
        CAPTURE(inputs[i]);
        CAPTURE(found[i]);
        CHECK(off <= allowed);
        break;
      }
    });
  }
}

TEST_CASE("the coarse gelu is as close as documented, over all floats") {
  const auto inputs = sampled_floats(3989);
  with_each_instruction_set([&] {
    const auto found = activated(Activation::gelu_coarse, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto x = static_cast<double>(inputs[i]);
      const double allowed = std::min(4e-4, 1e-3 * std::abs(x)) + 0x1p-23 * std::abs(x);
      const double off = std::abs(static_cast<double>(found[i]) - gelu(x));
      if (off <= allowed) continue;
      CAPTURE(x);
      CHECK(off <= allowed);
      break;
    }
    CHECK(std::isnan(activated(Activation::gelu_coarse, {kNaN})[0]));
  });
}

TEST_CASE("exp is within 2 ulp over all floats, and 0, 1, infinite or NaN where it must be") {
  auto inputs = sampled_floats(1999);
  for (float x = 88.0F; x < 89.0F; x += 0x1p-10F) inputs.push_back(x);
  for (float x = -104.5F; x < -86.5F; x += 0x1p-8F) inputs.push_back(x);
  with_each_instruction_set([&] {
    auto found = inputs;
    exp_of(found);
    double worst = 0.0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      worst = std::max(worst, ulps(found[i], std::exp(static_cast<double>(inputs[i]))));
    }
    CHECK(worst <= 2.0);
    std::vector<float> special = {-kInfinity, -kLargest, -0.0F, 0.0F, kLargest, kInfinity};
    exp_of(special);
    CHECK(special == std::vector<float>{0.0F, 0.0F, 1.0F, 1.0F, kInfinity, kInfinity});
  });
}

TEST_CASE("activations of infinities are their limits, and NaN stays NaN whatever its bits") {
  struct Row {
    const char* name;
    float below;  // of -∞
    float above;
  };
  const Row rows[] = {
      {"linear", -kInfinity, kInfinity},
      {"relu", 0.0F, kInfinity},
      {"relu6", 0.0F, 6.0F},
      {"relu2", 0.0F, kInfinity},
      {"leaky_relu", -kInfinity, kInfinity},
      {"gelu", 0.0F, kInfinity},
      {"gelu_new", 0.0F, kInfinity},
      {"gelu_10", 0.0F, 10.0F},
      {"quick_gelu", 0.0F, kInfinity},
      {"silu", 0.0F, kInfinity},
      {"mish", 0.0F, kInfinity},
      {"tanh", -1.0F, 1.0F},
      {"sigmoid", 0.0F, 1.0F},
  };
  with_each_instruction_set([&] {
    for (const auto& [name, below, above] : rows) {
      CAPTURE(name);
      const auto activation = find_activation(name);
      REQUIRE(activation);
      CHECK(activated(*activation, {-kInfinity, kInfinity}) == std::vector<float>{below, above});
      for (const std::uint32_t bits : {0x7FC00000U, 0xFFC00000U, 0x7FC00001U, 0x7FFFFFFFU,
                                       0xFFFFFFFFU, 0xFFE12345U, 0x7F800001U}) {
        CHECK(std::isnan(activated(*activation, {std::bit_cast<float>(bits)})[0]));
      }
    }
  });
}

/// Bits, every NaN alike.
std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float x : values) bits.push_back(std::bit_cast<std::uint32_t>(x != x ? kNaN : x));
  return bits;
}

TEST_CASE("instruction sets that round a multiply-add once give the same bits") {
  const auto inputs = sampled_floats(49999);
  std::vector<float> scores = random_floats(8 * 77, 5);
  for (float& x : scores) x *= 20.0F;
  const auto ones = std::vector<float>(77, 1.0F);
  std::vector<std::vector<std::uint32_t>> expected;
  with_each_instruction_set([&] {
    if (!has_fused_multiply_add()) return;
    std::vector<std::vector<std::uint32_t>> found;
    for (const auto& name : activation_names()) {
      found.push_back(bits_of(activated(*find_activation(name), inputs)));
    }
    found.push_back(bits_of(activated(Activation::gelu_coarse, inputs)));
    auto rows = scores;
    softmax_rows(Matrix(rows.data(), 8, 77));
    found.push_back(bits_of(rows));
    layer_norm({ones, ones}, ConstMatrix(scores.data(), 8, 77), Matrix(rows.data(), 8, 77));
    found.push_back(bits_of(rows));
    if (expected.empty()) expected = found;
    CHECK(found == expected);
  });
}

TEST_CASE("an element's activation depends neither on its place nor on its neighbours") {
  const auto inputs = random_floats(40, 9);
  with_each_instruction_set([&] {
    for (const auto& name : activation_names()) {
      CAPTURE(name);
      const auto activation = *find_activation(name);
      std::vector<float> alone;
      for (const float x : inputs) alone.push_back(activated(activation, {9.0F * x})[0]);
      for (std::size_t cols = 1; cols <= 40; ++cols) {
        std::vector<float> row(inputs.end() - static_cast<std::ptrdiff_t>(cols), inputs.end());
        for (float& x : row) x *= 9.0F;
        const auto last = alone.end() - static_cast<std::ptrdiff_t>(cols);
        CHECK(activated(activation, row) == std::vector<float>(last, alone.end()));
      }
    }
  });
}

}  // namespace
}  // namespace headlight::ulp_test
