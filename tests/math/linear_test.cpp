#include "math/linear.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>

#include "close_to.h"
#include "math/random_matrix.h"

namespace headlight {
namespace {

struct Shape {
  std::size_t in, out;
};
const Shape kShapes[] = {{1, 1}, {63, 7}, {40, 64}, {128, 130}, {384, 96}};

// Tokens of each text; two of a kind lie at different rows of the batch.
const std::vector<std::size_t> kLengths = {1, 5, 17, 1, 64, 2, 5, 33};

std::vector<std::size_t> starts_of(const std::vector<std::size_t>& lengths) {
  std::vector<std::size_t> starts = {0};
  for (const std::size_t length : lengths) starts.push_back(starts.back() + length);
  return starts;
}

std::vector<double> reference(ConstMatrix x, const Linear& linear) {
  std::vector<double> y;
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t o = 0; o < linear.out(); ++o) {
      double sum = linear.bias.empty() ? 0.0 : static_cast<double>(linear.bias[o]);
      for (std::size_t j = 0; j < x.cols; ++j) {
        sum += static_cast<double>(x.row(i)[j]) * static_cast<double>(linear.weight.row(o)[j]);
      }
      y.push_back(sum);
    }
  }
  return y;
}

TEST_CASE("a linear layer over ragged rows agrees with float64, with and without its bias") {
  const auto starts = starts_of(kLengths);
  for (const auto& [in, out] : kShapes) {
    const RandomMatrix weight(out, in, 1);
    const auto bias = random_floats(out, 2);
    const RandomMatrix x(starts.back(), in, 3);
    for (const bool with_bias : {true, false}) {
      CAPTURE(in);
      CAPTURE(with_bias);
      const Linear linear{weight.view(),
                          with_bias ? std::span<const float>(bias) : std::span<const float>()};
      RandomMatrix y(starts.back(), out, 4, 3);
      linear.apply(starts, x.view(), y.view());
      CHECK(close_to(elements(y.view()), reference(x.view(), linear), {.absolute = 2e-5}));
      CHECK(y.gaps_are_untouched());
    }
  }
}

TEST_CASE("the activation comes after the bias") {
  const RandomMatrix weight(7, 63, 1);
  const auto bias = random_floats(7, 2);
  const RandomMatrix x(9, 63, 3);
  const Linear linear{weight.view(), bias};
  const std::vector<std::size_t> starts = {0, 4, 9};
  RandomMatrix y(9, 7, 4);
  linear.apply(starts, x.view(), y.view(), Activation::relu);
  auto expected = reference(x.view(), linear);
  for (double& value : expected) value = std::max(value, 0.0);
  CHECK(close_to(elements(y.view()), expected, {.absolute = 1e-5}));
}

TEST_CASE("the rows of a text have the same bits alone and in any batch") {
  for (const auto& [in, out] : kShapes) {
    const RandomMatrix weight(out, in, 1);
    const auto bias = random_floats(out, 2);
    const Linear linear{weight.view(), bias};
    const auto starts = starts_of(kLengths);
    const RandomMatrix x(starts.back(), in, 3);
    RandomMatrix together(starts.back(), out, 4);
    linear.apply(starts, x.view(), together.view(), Activation::gelu);
    for (std::size_t text = 0; text < kLengths.size(); ++text) {
      CAPTURE(in);
      CAPTURE(text);
      const std::vector<std::size_t> alone_starts = {0, kLengths[text]};
      RandomMatrix alone(kLengths[text], out, 5);
      linear.apply(alone_starts, x.view().row_range(starts[text], kLengths[text]), alone.view(),
                   Activation::gelu);
      const ConstMatrix same = together.view().row_range(starts[text], kLengths[text]);
      CHECK(std::memcmp(alone.view().data, same.data, same.rows * same.cols * sizeof(float)) == 0);
    }
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
}  // namespace headlight
