// Products of bfloat16 numbers against plain loops in the order of VDPBF16PS.
#include "math/bfloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "math/applied_layer.h"
#include "math/bfloat_reference.h"
#include "math/instruction_set.h"
#include "math/linear.h"
#include "math/prepared_layer.h"
#include "math/processor.h"
#include "math/random_matrix.h"
#include "math/with_instruction_sets.h"

namespace headlight::bfloat_test {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Shape {
  std::size_t k, o;
};
const Shape kShapes[] = {{1, 1},    {2, 16},   {3, 17},   {5, 40},   {63, 7},
                         {66, 100}, {384, 50}, {1023, 9}, {1025, 33}};

std::vector<std::size_t> row_counts() { return {1, 2, 3, 5, 6, 7, 11, 12, 13, 24, 25, 40, 97}; }

PreparedLayer rounded(ConstMatrix weight, std::span<const float> bias) {
  return {Linear{table(weight), bias}, LinearForm::bf16};
}

/// The methods whose sums are those of VDPBF16PS and that can run now. Without AVX-512, `pairs` is
/// computed with a model of the instruction.
std::vector<BfloatMethod> methods_in_pairs() {
  if (active_instruction_set() == InstructionSet::avx3 && !has_bfloat_pairs()) {
    MESSAGE("VDPBF16PS is not tested: this processor does not have it");
    return {BfloatMethod::emulated};
  }
  return {BfloatMethod::emulated, BfloatMethod::pairs};
}

TEST_CASE("every instruction set and method gives the bits of plain loops") {
  for (const auto& [k, o] : kShapes) {
    const RandomMatrix weight(o, k, 1);
    const auto bias = random_floats(o, 2);
    const RandomMatrix x(97, k, 3, 5);
    const auto expected = product_of_rounded(x.view(), weight.view(), bias, sum_in_pairs);
    const auto without_bias = product_of_rounded(x.view(), weight.view(), {}, sum_in_pairs);
    with_each_instruction_set([&, k = k, o = o] {
      CAPTURE(k);
      CAPTURE(o);
      PreparedLayer layer = rounded(weight.view(), bias);
      PreparedLayer plain = rounded(weight.view(), {});
      for (const BfloatMethod method : methods_in_pairs()) {
        CAPTURE(static_cast<int>(method));
        layer.layer.prepared.method = plain.layer.prepared.method = method;
        for (const std::size_t n : row_counts()) {
          CAPTURE(n);
          const auto end = static_cast<std::ptrdiff_t>(n * o);
          const ConstMatrix rows = x.view().row_range(0, n);
          CHECK(applied(layer.layer, rows) ==
                std::vector<float>(expected.begin(), expected.begin() + end));
          CHECK(applied(plain.layer, rows) ==
                std::vector<float>(without_bias.begin(), without_bias.begin() + end));
        }
      }
    });
  }
}

TEST_CASE("numbers become the nearest bfloat16, ties to even, and keep what is no number") {
  const auto from_bits = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
  struct Row {
    float from, to;
  };
  const Row rows[] = {{1.0F, 1.0F},
                      {0.0F, 0.0F},
                      {-0.0F, -0.0F},
                      {from_bits(0x3F808000U), from_bits(0x3F800000U)},  // a tie
                      {from_bits(0x3F818000U), from_bits(0x3F820000U)},  // a tie
                      {from_bits(0x3F808001U), from_bits(0x3F810000U)},
                      {from_bits(0xBF817FFFU), from_bits(0xBF810000U)},
                      {std::numeric_limits<float>::max(), kInfinity},
                      {kInfinity, kInfinity},
                      {-kInfinity, -kInfinity},
                      {kNaN, kNaN},
                      {from_bits(0x7F800001U), kNaN},
                      {from_bits(0xFFFFFFFFU), kNaN},
                      {from_bits(0x00000001U), 0.0F}};
  std::vector<float> from;
  for (const Row& row : rows) from.push_back(row.from);
  from.resize(35, 1.0F);
  with_each_instruction_set([&] {
    std::vector<float> floats(64);
    std::vector<std::uint16_t> pairs(64);
    round_row(from, BfloatMethod::emulated, floats.data());
    round_row(from, BfloatMethod::pairs, reinterpret_cast<float*>(pairs.data()));
    for (std::size_t k = 0; k < std::size(rows); ++k) {
      CAPTURE(k);
      const float other = std::bit_cast<float>(std::uint32_t{pairs[k]} << 16U);
      for (const float found : {floats[k ^ 1U], other}) {
        if (std::isnan(rows[k].to)) {
          CHECK(std::isnan(found));
        } else {
          CHECK(std::bit_cast<std::uint32_t>(found) == std::bit_cast<std::uint32_t>(rows[k].to));
        }
      }
    }
    CHECK(floats[34] == 0.0F);  // fills the last pair
    CHECK(floats[35] == 1.0F);
    for (std::size_t k = 35; k < 64; ++k) CHECK(pairs[k] == 0);
  });
}

TEST_CASE("weights that are stored as bfloat16 are used as stored, others are rounded once") {
  const std::size_t k = 67;
  const std::size_t o = 21;
  const RandomMatrix weight(o, k, 1);
  std::vector<std::uint16_t> stored;
  for (const float number : elements(weight.view())) stored.push_back(to_bfloat(number));
  const Table bfloats{NumberFormat::bf16, reinterpret_cast<const std::byte*>(stored.data()), o, k};
  const PreparedLayer as_stored(Linear{bfloats, {}}, LinearForm::bf16);
  CHECK(as_stored.memory == rounded(weight.view(), {}).memory);
  const std::size_t panel = BfloatPanels::panel_bytes(k) / sizeof(std::uint16_t);
  const auto* const numbers = reinterpret_cast<const std::uint16_t*>(as_stored.memory.data());
  for (std::size_t i = 0; i < o; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      CHECK(numbers[i / 16 * panel + j / 2 * 32 + i % 16 * 2 + j % 2] == stored[i * k + j]);
    }
  }
}

TEST_CASE(
    "subnormal numbers count as zero, in x, in weights and in sums, and only in the product") {
  constexpr float kSmallest = std::numeric_limits<float>::min();
  const std::vector<float> x = {kSmallest / 2, 1.0F, kSmallest, 0.5F};
  const std::vector<float> w = {1.0F, 0.0F,          0.0F, 0.0F,  // x
                                0.0F, kSmallest / 2, 0.0F, 0.0F,  // weights
                                0.0F, 0.0F,          0.5F, 0.0F,  // products
                                0.0F, 0.0F,          0.0F, 0.0F,  // the bias
                                0.0F, 0.0F,          1.0F, 0.0F};
  const std::vector<float> bias = {0.0F, 0.0F, 0.0F, kSmallest / 2, 0.0F};
  with_each_instruction_set([&] {
    PreparedLayer layer = rounded({w.data(), 5, 4}, bias);
    for (const BfloatMethod method : methods_in_pairs()) {
      layer.layer.prepared.method = method;
      CHECK(applied(layer.layer, {x.data(), 1, 4}) ==
            std::vector<float>{0.0F, 0.0F, 0.0F, 0.0F, kSmallest});
    }
    volatile float half = kSmallest;
    half = half / 2;
    CHECK(half > 0.0F);  // the thread computes with them again
  });
}

TEST_CASE("a row has the same bits among any others, NaN too, and on any number of threads") {
  check_bits_of_rows(LinearForm::bf16);
}

TEST_CASE("rounding costs what it may: one part in 128 of each product") {
  for (const auto& [k, o] : kShapes) {
    const RandomMatrix weight(o, k, 1);
    const RandomMatrix x(9, k, 3);
    const auto y = applied(rounded(weight.view(), {}).layer, x.view());
    for (std::size_t i = 0; i < 9; ++i) {
      for (std::size_t j = 0; j < o; ++j) {
        double exact = 0.0;
        double bound = 1e-6;
        for (std::size_t l = 0; l < k; ++l) {
          const double product = static_cast<double>(x.view().row(i)[l]) *
                                 static_cast<double>(weight.view().row(j)[l]);
          exact += product;
          bound += std::abs(product) * (0x1p-7 + 0x1p-16 + static_cast<double>(k) * 0x1p-23);
        }
        CHECK(std::abs(static_cast<double>(y[i * o + j]) - exact) <= bound);
      }
    }
  }
}

TEST_CASE("the kind of sums is that of the documented order, or has a number of its own") {
  with_each_instruction_set([] {
    CHECK(bfloat_sums(BfloatMethod::emulated) == "bfloat16 sums in pairs");
    const std::string best = bfloat_sums(best_bfloat_method());
    CAPTURE(best);
    CHECK(best.starts_with("bfloat16 sums "));
    if (active_instruction_set() != InstructionSet::avx3) {
      CHECK(best_bfloat_method() == BfloatMethod::emulated);
      CHECK(bfloat_sums(BfloatMethod::pairs) == "bfloat16 sums in pairs");
    }
  });
  if (has_bfloat_pairs() && bfloat_sums(BfloatMethod::pairs) != "bfloat16 sums in pairs") {
    MESSAGE("VDPBF16PS of this processor rounds differently from its manual");
  }
}

}  // namespace
}  // namespace headlight::bfloat_test
