#include "math/bfloat.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/parallel.h"
#include "math/processor.h"

namespace headlight {
namespace {

// Numbers that one thread rounds at a time.
constexpr std::size_t kRoundedAPart = std::size_t{32} * 1024;

/// Numbers of many sizes, so that every sum of their products is rounded.
std::vector<float> numbers_of_many_sizes(std::size_t count) {
  std::vector<float> numbers(count);
  std::uint32_t state = 1;
  for (float& number : numbers) {
    state = state * 1664525U + 1013904223U;  // Numerical Recipes, §7.1
    const auto exponent = static_cast<int>(state >> 12U & 15U);
    number = std::ldexp(static_cast<float>(static_cast<int>(state >> 24U) - 128), -exponent);
  }
  return numbers;
}

/// A product that shows how a method rounds.
std::vector<float> bfloat_trial(BfloatMethod method) {
  constexpr std::size_t kRows = 35;
  constexpr std::size_t kColumns = 37;
  constexpr std::size_t kDepth = 67;
  const std::vector<float> x = numbers_of_many_sizes(kRows * kDepth);
  const std::vector<float> w = numbers_of_many_sizes(kColumns * kDepth);
  const Table weight{NumberFormat::f32, reinterpret_cast<const std::byte*>(w.data()), kColumns,
                     kDepth};
  Buffer memory;
  const Matrix panels = memory.shape(1, BfloatPanels::bytes(kDepth, kColumns) / sizeof(float));
  auto* data = reinterpret_cast<std::byte*>(panels.data);
  round_panels(weight, 0, Panels::count(kColumns), data);
  Buffer buffer;
  const BfloatRows rows = BfloatRows::shape(method, kRows, kDepth, buffer);
  round_rows({x.data(), kRows, kDepth}, rows);
  std::vector<float> y(kRows * kColumns);
  multiply(rows, {data, kDepth, kColumns}, nullptr, {y.data(), kRows, kColumns});
  return y;
}

/// Whether a method gives what the emulation does, but for rounding.
bool is_right(BfloatMethod method) {
  const std::vector<float> expected = bfloat_trial(BfloatMethod::emulated);
  const std::vector<float> found = bfloat_trial(method);
  constexpr float kRounding = 1.0F;  // of sums of 67 products up to 2^14
  return std::equal(found.begin(), found.end(), expected.begin(),
                    [](float a, float b) { return std::abs(a - b) <= kRounding; });
}

void round_panel(const Table& weight, std::size_t first_row, std::byte* panel) {
  thread_local Buffer widened;
  thread_local Buffer rounded;
  const std::size_t count = std::min(kPanelColumns, weight.rows - first_row);
  const ConstMatrix numbers = weight.floats(first_row, count, widened);
  const BfloatRows pairs = BfloatRows::shape(BfloatMethod::pairs, count, weight.cols, rounded);
  for (std::size_t i = 0; i < count; ++i) {
    round_row(numbers.row(i), pairs.method, pairs.numbers.row(i).data());
  }
  pack(pairs.numbers, reinterpret_cast<float*>(panel));
}

}  // namespace

BfloatMethod best_bfloat_method() {
  if (has_bfloat_tiles() && is_right(BfloatMethod::tiles)) return BfloatMethod::tiles;
  return has_bfloat_pairs() && is_right(BfloatMethod::pairs) ? BfloatMethod::pairs
                                                             : BfloatMethod::emulated;
}

std::string method_name(BfloatMethod method) {
  switch (method) {
    case BfloatMethod::emulated:
      break;
    case BfloatMethod::pairs:
      return "AVX512-BF16";
    case BfloatMethod::tiles:
      return "AMX";
  }
  return "emulated (this processor has neither AVX512-BF16 nor AMX)";
}

std::string bfloat_sums(BfloatMethod method) {
  const std::vector<float> found = bfloat_trial(method);
  if (method == BfloatMethod::emulated || found == bfloat_trial(BfloatMethod::emulated)) {
    return "bfloat16 sums in pairs";
  }
  const std::string_view bytes(reinterpret_cast<const char*>(found.data()),
                               found.size() * sizeof(float));
  return "bfloat16 sums of the kind " + hash_of(bytes).substr(0, 8);
}

BfloatPanels BfloatPanels::range(std::size_t first, std::size_t count) const {
  const std::size_t left = columns - first * kPanelColumns;
  return {data + first * panel_bytes(depth), depth, std::min(left, count * kPanelColumns)};
}

BfloatRows BfloatRows::shape(BfloatMethod method, std::size_t rows, std::size_t depth,
                             Buffer& memory) {
  const bool emulated = method == BfloatMethod::emulated;
  return {memory.shape(rows, emulated ? (depth + 1) / 2 * 2 : BfloatPanels::padded(depth) / 2),
          method};
}

void round_rows(ConstMatrix x, const BfloatRows& out) {
  const std::size_t parts = std::min(x.rows, x.rows * x.cols / kRoundedAPart + 1);
  share_work(parts, [&](std::size_t part) {
    for (std::size_t i = x.rows * part / parts; i < x.rows * (part + 1) / parts; ++i) {
      round_row(x.row(i), out.method, out.numbers.row(i).data());
    }
  });
}

void round_panels(const Table& weight, std::size_t first, std::size_t last, std::byte* panels) {
  const std::size_t bytes = BfloatPanels::panel_bytes(weight.cols);
  for (std::size_t panel = first; panel < last; ++panel) {
    round_panel(weight, panel * kPanelColumns, panels + panel * bytes);
  }
}

}  // namespace headlight
