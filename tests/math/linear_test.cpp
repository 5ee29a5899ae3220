#include "math/linear.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "close_to.h"
#include "math/instruction_set.h"
#include "math/prepared_layer.h"
#include "math/random_matrix.h"

namespace headlight::linear_test {
namespace {

struct Shape {
  std::size_t in, out;
};
const Shape kShapes[] = {{1, 1},   {63, 7},   {40, 64},    {128, 130},
                         {37, 16}, {384, 96}, {1030, 100}, {8, 1000}};

const std::size_t kRows[] = {1, 2, 3, 4, 5, 7, 13, 29, 97, 200};

/// What a layer is made of, its numbers in any format.
struct Numbers {
  Numbers(std::size_t out, std::size_t in) : weight(out, in, 1), bias(random_floats(out, 2)) {}

  Linear linear(bool with_bias = true) const {
    const Table table{NumberFormat::f32, reinterpret_cast<const std::byte*>(weight.view().data),
                      weight.view().rows, weight.view().cols};
    return {table, with_bias ? std::span<const float>(bias) : std::span<const float>()};
  }

  RandomMatrix weight;  // [out, in]
  std::vector<float> bias;
};

std::vector<double> reference(ConstMatrix x, const Numbers& numbers, bool with_bias = true) {
  std::vector<double> y;
  const ConstMatrix weight = numbers.weight.view();
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t o = 0; o < weight.rows; ++o) {
      double sum = with_bias ? static_cast<double>(numbers.bias[o]) : 0.0;
      for (std::size_t j = 0; j < x.cols; ++j) {
        sum += static_cast<double>(x.row(i)[j]) * static_cast<double>(weight.row(o)[j]);
      }
      y.push_back(sum);
    }
  }
  return y;
}

TEST_CASE("a linear layer agrees with float64 in every form that does not round") {
  for (const auto& [in, out] : kShapes) {
    const Numbers numbers(out, in);
    for (const std::size_t rows : kRows) {
      const RandomMatrix x(rows, in, 3, 5);
      for (const bool with_bias : {true, false}) {
        CAPTURE(in);
        CAPTURE(out);
        CAPTURE(rows);
        CAPTURE(with_bias);
        const Linear linear = numbers.linear(with_bias);
        const auto expected = reference(x.view(), numbers, with_bias);
        const Tolerance tolerance{.absolute = 1e-6 * static_cast<double>(in + 10)};
        const auto found = [&](const Linear& layer) {
          RandomMatrix y(rows, out, 4, 3);
          layer.apply(x.view(), y.view());
          CHECK(y.gaps_are_untouched());
          return elements(y.view());
        };
        for (const auto& set : instruction_sets()) {
          CAPTURE(set);
          REQUIRE(use_instruction_set(set));
          const auto y = found(linear);
          CHECK(close_to(y, expected, tolerance));
          CHECK(found(PreparedLayer(linear, LinearForm::packed).layer) == y);  // the same bits
        }
        use_instruction_set(instruction_sets().front());
        CHECK(close_to(found(PreparedLayer(linear, LinearForm::blas).layer), expected, tolerance));
      }
    }
  }
}

TEST_CASE("the activation comes after the bias") {
  const Numbers numbers(7, 63);
  const RandomMatrix x(9, 63, 3);
  auto expected = reference(x.view(), numbers);
  for (double& value : expected) value = std::max(value, 0.0);
  for (const LinearForm form : kForms) {
    CAPTURE(static_cast<int>(form));
    const PreparedLayer prepared(numbers.linear(), form);
    RandomMatrix y(9, 7, 4);
    prepared.layer.apply(x.view(), y.view(), Activation::relu);
    const bool rounds = form == LinearForm::int8 || form == LinearForm::bf16;
    const double rounding = rounds ? 0.05 : 1e-5;
    CHECK(close_to(elements(y.view()), expected, {.absolute = rounding}));
  }
}

TEST_CASE("instruction sets with fused multiply-add give the same bits") {
  for (const auto& [in, out] : kShapes) {
    const Numbers numbers(out, in);
    const RandomMatrix x(29, in, 3);
    std::vector<float> first;
    for (const auto& set : instruction_sets()) {
      use_instruction_set(set);
      if (!has_fused_multiply_add()) continue;
      RandomMatrix y(29, out, 4);
      numbers.linear().apply(x.view(), y.view(), Activation::gelu);
      if (first.empty()) first = elements(y.view());
      CHECK(elements(y.view()) == first);
    }
    use_instruction_set(instruction_sets().front());
  }
}

TEST_CASE("a row has the same bits alone and among any others, on one thread and on several") {
  for (const auto& [in, out] : kShapes) {
    CAPTURE(in);
    const Numbers numbers(out, in);
    const PreparedLayer packed(numbers.linear(), LinearForm::packed);
    const RandomMatrix x(200, in, 3);
    RandomMatrix together(200, out, 4);
    {
      const ThreadPermit four(4);
      packed.layer.apply(x.view(), together.view(), Activation::gelu);
    }
    const ThreadPermit one(1);
    for (std::size_t first = 0; first < 200; first += 1 + first % 31) {
      const std::size_t count = std::min<std::size_t>(1 + first % 31, 200 - first);
      RandomMatrix some(count, out, 5);
      packed.layer.apply(x.view().row_range(first, count), some.view(), Activation::gelu);
      CHECK(elements(some.view()) == elements(together.view().row_range(first, count)));
    }
  }
}

TEST_CASE("stored weights give the bits of packed ones for many rows, on any number of threads") {
  for (const auto& [in, out] : kShapes) {
    CAPTURE(in);
    const Numbers numbers(out, in);
    const Linear stored = numbers.linear();
    const PreparedLayer packed(numbers.linear(), LinearForm::packed);
    const RandomMatrix x(700, in, 3, 5);
    RandomMatrix expected(700, out, 4);
    packed.layer.apply(x.view(), expected.view(), Activation::gelu);
    for (const std::size_t threads : {1, 2, 3}) {
      const ThreadPermit permit(threads);
      RandomMatrix found(700, out, 5, 3);
      stored.apply(x.view(), found.view(), Activation::gelu);
      CHECK(elements(found.view()) == elements(expected.view()));
      CHECK(found.gaps_are_untouched());
    }
  }
}

TEST_CASE("several layers as one product are what each is alone") {
  const Numbers a(40, 24);
  const Numbers b(17, 24);
  const Numbers c(130, 24);
  const RandomMatrix x(33, 24, 3);
  RandomMatrix outs[] = {{33, 40, 4}, {33, 17, 5}, {33, 130, 6}};
  const Linear layers[] = {a.linear(), b.linear(), c.linear()};
  apply_all(std::array<LinearOutput, 3>{{{&layers[0], outs[0].view()},
                                         {&layers[1], outs[1].view()},
                                         {&layers[2], outs[2].view()}}},
            x.view());
  for (std::size_t i = 0; i < 3; ++i) {
    RandomMatrix alone(33, layers[i].out(), 7);
    layers[i].apply(x.view(), alone.view());
    CHECK(elements(outs[i].view()) == elements(alone.view()));
  }
}

TEST_CASE("weights of 16 bits give what the same numbers of 32 bits give") {
  const std::size_t out = 35;
  const std::size_t in = 50;
  std::vector<std::uint16_t> halves(out * in);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    halves[i] = static_cast<std::uint16_t>((i * 7919) % 0x3C00 | (i % 2 << 15U));
  }
  const RandomMatrix x(11, in, 3);
  for (const auto format : {NumberFormat::f16, NumberFormat::bf16}) {
    const auto* bytes = reinterpret_cast<const std::byte*>(halves.data());
    std::vector<float> wide(out * in);
    widen(format, bytes, wide);
    RandomMatrix narrow_y(11, out, 4);
    RandomMatrix wide_y(11, out, 5);
    Linear{{format, bytes, out, in}, {}}.apply(x.view(), narrow_y.view());
    Linear{{NumberFormat::f32, reinterpret_cast<const std::byte*>(wide.data()), out, in}, {}}.apply(
        x.view(), wide_y.view());
    CHECK(elements(narrow_y.view()) == elements(wide_y.view()));
  }
}

TEST_CASE("a table's rows are read from bytes at any address, in each format") {
  // [3, 2]: 1.5 -2 | 0.25 3 | -0.5 4
  const std::vector<float> numbers = {1.5F, -2.0F, 0.25F, 3.0F, -0.5F, 4.0F};
  const std::vector<std::uint16_t> halves = {0x3E00, 0xC000, 0x3400, 0x4200, 0xB800, 0x4400};
  const std::vector<std::uint16_t> brains = {0x3FC0, 0xC000, 0x3E80, 0x4040, 0xBF00, 0x4080};
  struct Row {
    NumberFormat format;
    const void* bytes;
  };
  const Row rows[] = {{NumberFormat::f32, numbers.data()},
                      {NumberFormat::f16, halves.data()},
                      {NumberFormat::bf16, brains.data()}};
  for (const auto& [format, bytes] : rows) {
    for (const std::size_t shift : {0, 1, 2, 3}) {
      std::vector<std::byte> memory(6 * bytes_each(format) + shift);
      std::memcpy(memory.data() + shift, bytes, 6 * bytes_each(format));
      const Table table{format, memory.data() + shift, 3, 2};
      for (const std::size_t row : {2, 0, 1}) {
        std::vector<float> out(2);
        table.read(row, out);
        CHECK(out ==
              std::vector<float>(numbers.begin() + static_cast<std::ptrdiff_t>(2 * row),
                                 numbers.begin() + static_cast<std::ptrdiff_t>(2 * row + 2)));
      }
    }
  }
}

}  // namespace
}  // namespace headlight::linear_test
