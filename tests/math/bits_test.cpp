// The same bits on every processor: hashes of what the kernels gave on AVX2, for each instruction
// set that rounds a multiply-add once, of this processor or of one that stands in for another
// (scripts/README.md). What changes the arithmetic of a kernel on purpose changes its row.
#include "bits.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "math/exp_kernel.h"
#include "math/functions.h"
#include "math/instruction_set.h"
#include "math/linear.h"
#include "math/products.h"
#include "math/random_matrix.h"
#include "math/with_instruction_sets.h"

namespace headlight::bits_test {
namespace {

template <typename Body>
void with_each_fused_set(Body body) {
  with_each_instruction_set([&] {
    if (has_fused_multiply_add()) body();
  });
}

/// Numbers in [-size, size).
std::vector<float> spread_floats(std::size_t count, std::uint64_t seed, float size) {
  auto values = random_floats(count, seed);
  for (float& x : values) x *= size;
  return values;
}

/// Every so many bit patterns, NaN, infinities and denormals among them.
std::vector<float> patterns() {
  std::vector<float> floats;
  for (std::uint64_t pattern = 0; pattern <= 0xFFFFFFFFU; pattern += 65521) {
    floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(pattern)));
  }
  return floats;
}

TEST_CASE("linear layers have the same bits on every processor") {
  struct Row {
    std::size_t n, in, out;
    Activation activation;
    std::string hash;
  };
  const Row rows[] = {
      {1, 1, 1, Activation::linear, "fd19a27c9b6f71bf"},
      {1, 64, 40, Activation::linear, "e6582c70f92ec761"},
      {7, 63, 5, Activation::linear, "7dcb856c46117a51"},
      {3, 384, 129, Activation::gelu, "b2cb78007ae04928"},
      {13, 1030, 100, Activation::linear, "a0bbec602b78ee41"},
      {97, 128, 96, Activation::gelu_tanh, "4cf0dba5b1b40f42"},
  };
  for (const auto& [n, in, out, activation, hash] : rows) {
    CAPTURE(n);
    CAPTURE(in);
    CAPTURE(out);
    const RandomMatrix weight(out, in, 1);
    const auto bias = random_floats(out, 2);
    const RandomMatrix x(n, in, 3);
    const Linear linear{
        {NumberFormat::f32, reinterpret_cast<const std::byte*>(weight.view().data), out, in}, bias};
    with_each_fused_set([&, &act = activation, &expected = hash] {
      RandomMatrix y(x.view().rows, weight.view().rows, 4);
      linear.apply(x.view(), y.view(), act);
      CHECK(bits_hash(elements(y.view())) == expected);
    });
  }
}

TEST_CASE("products with what lies in rows have the same bits on every processor") {
  struct Row {
    std::size_t n, k, o;
    std::string hash;
  };
  const Row rows[] = {{1, 64, 40, "6fa26f514c2afb8a"},
                      {7, 63, 5, "1d771f284deed450"},
                      {19, 513, 23, "f10782ef23546c88"},
                      {40, 129, 130, "c513799c1e2e8b97"}};
  for (const auto& [n, k, o, hash] : rows) {
    CAPTURE(n);
    CAPTURE(k);
    CAPTURE(o);
    const RandomMatrix a(n, k, 5);
    const RandomMatrix b(k, o, 6);
    RandomMatrix out(n, o, 7);
    with_each_fused_set([&, &expected = hash] {
      multiply(a.view(), b.view(), out.view());
      CHECK(bits_hash(elements(out.view())) == expected);
    });
  }
}

TEST_CASE("activations and exp have the same bits on every processor, whatever the number") {
  struct Row {
    std::string name;
    std::string hash;
  };
  const Row rows[] = {
      {"linear", "b8b6add2778b9a96"},     {"relu", "950a5807dade7930"},
      {"relu6", "db93bbf8bfc145e8"},      {"relu2", "ab66adedc2e0fdcb"},
      {"leaky_relu", "d0a4d3afd26540f4"}, {"gelu", "e9a564996b6e07c8"},
      {"gelu_new", "f3c3c33476e9ed28"},   {"gelu_10", "fc47849afe1415cc"},
      {"quick_gelu", "f98b647a33eb0627"}, {"silu", "79284e913e042f2f"},
      {"mish", "78cb7815e78a87f0"},       {"tanh", "c0b2c21fb304e3c5"},
      {"sigmoid", "996cd2e8259eb891"},    {"exp", "b8072ce3012e735a"},
  };
  const auto inputs = patterns();
  for (const auto& [name, hash] : rows) {
    CAPTURE(name);
    with_each_fused_set([&, &function = name, &expected = hash] {
      auto values = inputs;
      if (function == "exp") {
        exp_of(values);
      } else {
        activate(*find_activation(function), Matrix(values.data(), 1, values.size()));
      }
      CHECK(bits_hash(values) == expected);
    });
  }
}

TEST_CASE("softmax, with and without a bias, has the same bits on every processor") {
  struct Row {
    std::size_t cols;
    std::string softmax, sum, row;
  };
  const Row rows[] = {{1, "8eec422e25920948", "4b72477f9c5c2f98", "4b72477f9c5c2f98"},
                      {15, "daf7eb5a5d102d75", "692fec66cc1cf83c", "0c9b4dd3583eaf90"},
                      {77, "f3bab768850af69a", "139d9a3771033132", "2b944aa7804e4b97"},
                      {512, "bf302391661d56be", "6582c05e1456a34d", "a02b5bf938500677"}};
  for (const auto& [cols, softmax, sum, row] : rows) {
    CAPTURE(cols);
    const auto scores = spread_floats(3 * cols, 8, 32.0F);
    const auto bias = spread_floats(cols, 9, 4.0F);
    with_each_fused_set([&, n = cols, &of_softmax = softmax, &of_sum = sum, &of_row = row] {
      auto shares = scores;
      softmax_rows(Matrix(shares.data(), 3, n));
      CHECK(bits_hash(shares) == of_softmax);
      std::vector<float> one(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(n));
      const float total = exp_row(one, 0.125F, bias);
      CHECK(bits_hash({&total, 1}) == of_sum);
      CHECK(bits_hash(one) == of_row);
    });
  }
}

TEST_CASE("layer norm has the same bits on every processor, in each form") {
  struct Row {
    std::size_t d;
    LayerNormForm form;
    std::string hash;
  };
  const Row rows[] = {{1, LayerNormForm::variance, "d6d7852158bcfaf5"},
                      {24, LayerNormForm::variance, "85714bbaecd6debf"},
                      {77, LayerNormForm::deviation, "95f765e10036a9f9"},
                      {768, LayerNormForm::variance, "640a59b5ed7197b7"},
                      {77, LayerNormForm::rms, "85de3f6f79c768c0"}};
  for (const auto& [d, form, hash] : rows) {
    CAPTURE(d);
    const auto gain = random_floats(d, 10);
    const auto bias = random_floats(d, 11);
    const LayerNorm norm{gain, bias, 0x1p-17F, form};
    const auto x = spread_floats(5 * d, 12, 8.0F);
    with_each_fused_set([&, width = d, &expected = hash] {
      std::vector<float> out(x.size());
      layer_norm(norm, ConstMatrix(x.data(), 5, width), Matrix(out.data(), 5, width));
      CHECK(bits_hash(out) == expected);
    });
  }
}

TEST_CASE("rotated and multiplied rows have the same bits on every processor") {
  const std::size_t pairs = 13;
  const auto x = spread_floats(4 * 2 * pairs, 13, 8.0F);
  const auto turns = random_floats(4 * 2 * pairs, 14);
  const ConstMatrix by(turns.data(), 4, 2 * pairs);
  with_each_fused_set([&] {
    std::vector<float> halves = x;
    rotate(by, false, Matrix(halves.data(), 4, 2 * pairs));
    CHECK(bits_hash(halves) == "2fba8875069cf115");
    std::vector<float> neighbours = x;
    rotate(by, true, Matrix(neighbours.data(), 4, 2 * pairs));
    CHECK(bits_hash(neighbours) == "6d24141fcb81af52");
    std::vector<float> products = x;
    multiply_each(by, Matrix(products.data(), 4, 2 * pairs));
    CHECK(bits_hash(products) == "699a3c7ac47fc775");
  });
}

}  // namespace
}  // namespace headlight::bits_test
