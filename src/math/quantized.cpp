#include "math/quantized.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/parallel.h"
#include "math/processor.h"

namespace headlight {
namespace {

// Numbers that one thread quantizes at a time.
constexpr std::size_t kNumbersAPart = std::size_t{32} * 1024;

/// Rows that reach the largest sums and both signs.
std::vector<float> trial_rows(std::size_t rows, std::size_t depth) {
  std::vector<float> numbers(rows * depth);
  std::uint32_t state = 1;
  for (float& number : numbers) {
    state = state * 1664525U + 1013904223U;  // Numerical Recipes, §7.1
    number = static_cast<float>(static_cast<int>(state >> 24U) - 128) / 128.0F;
  }
  std::fill_n(numbers.begin(), depth, 1.0F);
  return numbers;
}

/// Whether a product in this layout gives the same result as one in pairs.
bool is_right(QuantizedLayout tried) {
  constexpr std::size_t kRows = 13;
  constexpr std::size_t kColumns = 35;
  constexpr std::size_t kDepth = 67;
  const std::vector<float> x = trial_rows(kRows, kDepth);
  const std::vector<float> w = trial_rows(kColumns, kDepth);
  const auto product = [&](QuantizedLayout layout) {
    std::vector<std::byte> memory(QuantizedPanels::bytes(kDepth, kColumns));
    const Table weight{NumberFormat::f32, reinterpret_cast<const std::byte*>(w.data()), kColumns,
                       kDepth};
    quantize_panels(weight, layout, 0, Panels::count(kColumns), memory.data());
    Buffer buffer;
    const QuantizedRows rows = QuantizedRows::shape(layout, kRows, kDepth, buffer);
    quantize_rows({x.data(), kRows, kDepth}, rows);
    std::vector<float> y(kRows * kColumns);
    multiply(rows, {memory.data(), kDepth, kColumns, layout}, nullptr, {y.data(), kRows, kColumns});
    return y;
  };
  return product(tried) == product(QuantizedLayout::pairs);
}

/// Writes rows of 16-bit integers as the columns of a panel, in groups of kGroup numbers of k.
template <std::size_t kGroup>
void interleave(const std::array<const std::int16_t*, kPanelColumns>& rows, std::size_t depth,
                std::int8_t* panel) {
  for (std::size_t k = 0; k < depth; k += kGroup) {
    for (const std::int16_t* row : rows) {
      for (std::size_t j = 0; j < kGroup; ++j) *panel++ = static_cast<std::int8_t>(row[k + j]);
    }
  }
}

void quantize_panel(const Table& weight, QuantizedLayout layout, std::size_t first_row,
                    std::byte* panel) {
  thread_local Buffer widened;
  thread_local Buffer quantized;
  const std::size_t depth = weight.cols;
  const std::size_t padded = QuantizedPanels::padded(depth);
  const std::size_t count = std::min(kPanelColumns, weight.rows - first_row);
  const ConstMatrix numbers = weight.floats(first_row, count, widened);
  const Matrix floats =
      quantized.shape(kPanelColumns, padded * sizeof(std::int16_t) / sizeof(float));
  std::array<const std::int16_t*, kPanelColumns> rows{};
  std::array<float, kPanelColumns> scales{};
  std::array<std::int32_t, kPanelColumns> starts{};
  for (std::size_t i = 0; i < kPanelColumns; ++i) {
    auto* row = reinterpret_cast<std::int16_t*>(floats.row(i).data());
    rows[i] = row;
    if (i >= count) {
      std::fill_n(row, padded, std::int16_t{0});
      continue;
    }
    scales[i] = quantize_weights(numbers.row(i), row);
    starts[i] = -std::accumulate(row, row + depth, std::int32_t{0});
  }
  std::memcpy(panel, scales.data(), sizeof(scales));
  std::memcpy(panel + sizeof(scales), starts.data(), sizeof(starts));
  auto* out = reinterpret_cast<std::int8_t*>(panel + QuantizedPanels::kHeader);
  if (layout == QuantizedLayout::pairs) return interleave<2>(rows, padded, out);
  interleave<4>(rows, padded, out);
}

}  // namespace

QuantizedLayout best_quantized_layout() {
  if (has_integer_tiles() && is_right(QuantizedLayout::tiles)) return QuantizedLayout::tiles;
  return has_integer_fours() && is_right(QuantizedLayout::fours) ? QuantizedLayout::fours
                                                                 : QuantizedLayout::pairs;
}

std::string layout_name(QuantizedLayout layout) {
  if (layout == QuantizedLayout::pairs) return "pairs of 16 bits";
  return layout == QuantizedLayout::fours ? "fours of 8 bits" : "tiles of 8 bits";
}

QuantizedPanels QuantizedPanels::range(std::size_t first, std::size_t count) const {
  const std::size_t left = columns - first * kPanelColumns;
  return {data + first * panel_bytes(depth), depth, std::min(left, count * kPanelColumns), layout};
}

QuantizedRows QuantizedRows::shape(QuantizedLayout layout, std::size_t rows, std::size_t depth,
                                   Buffer& memory) {
  const std::size_t each = layout == QuantizedLayout::pairs ? 2 : 1;
  const std::size_t bytes = kHeader + QuantizedPanels::padded(depth) * each;
  const Matrix floats = memory.shape(rows, bytes / sizeof(float));
  return {reinterpret_cast<std::byte*>(floats.data), rows, floats.stride * sizeof(float), layout};
}

void quantize_rows(ConstMatrix x, const QuantizedRows& out) {
  const std::size_t parts = std::min(x.rows, x.rows * x.cols / kNumbersAPart + 1);
  share_work(parts, [&](std::size_t part) {
    for (std::size_t i = x.rows * part / parts; i < x.rows * (part + 1) / parts; ++i) {
      std::byte* row = out.data + i * out.stride;
      const RowScale scale = quantize_row(x.row(i), out.layout, row + QuantizedRows::kHeader);
      std::memcpy(row, &scale, sizeof(scale));
    }
  });
}

void quantize_panels(const Table& weight, QuantizedLayout layout, std::size_t first,
                     std::size_t last, std::byte* panels) {
  const std::size_t bytes = QuantizedPanels::panel_bytes(weight.cols);
  for (std::size_t panel = first; panel < last; ++panel) {
    quantize_panel(weight, layout, panel * kPanelColumns, panels + panel * bytes);
  }
}

}  // namespace headlight
