// Products in tiles of 16 rows of 64 bytes, as AMX computes them (Intel SDM, volume 1, chapter
// "Programming with Intel AMX"). The panels of bfloat.h and the panels in fours of quantized.h are
// such tiles, one after another. The functions take the registers as a parameter, so that tests
// can put a model of them in their place. `Tiles` has
//
//   configure(TileShapes), release()
//   load<tile>(address, bytes between rows), store<tile>(address, bytes between rows)
//   dot<sums, x, panel>()   for the numbers of the product
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "math/bfloat.h"
#include "math/matrix.h"
#include "math/products.h"
#include "math/quantized.h"

namespace headlight::tiles {

constexpr std::size_t kRows = 16;
constexpr std::size_t kRowBytes = 64;
constexpr std::size_t kBytes = kRows * kRowBytes;
constexpr std::size_t kMostRows = 2 * kRows;  // of a block
constexpr std::size_t kMostPanels = 2;

/// The operand of LDTILECFG.
struct TileShapes {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};
static_assert(sizeof(TileShapes) == kRowBytes);

/// Tiles 0 and 1 are the sums of the first 16 rows and two panels, 2 and 3 those of the next 16
/// rows; 4 and 5 are these rows, 6 and 7 the panels.
inline TileShapes shapes_for(std::size_t rows) {
  const std::size_t upper = std::min(rows, kRows);
  const std::size_t lower = rows - upper;
  const std::size_t all[] = {upper, upper, lower, lower, upper, lower, kRows, kRows};
  TileShapes shapes;
  for (std::size_t i = 0; i < std::size(all); ++i) {
    shapes.rows[i] = static_cast<std::uint8_t>(all[i]);
    shapes.row_bytes[i] = all[i] == 0 ? std::uint16_t{0} : std::uint16_t{kRowBytes};
  }
  return shapes;
}

/// A product of at most 32 rows and one or two panels. Strides are in bytes.
struct Block {
  std::size_t rows;
  std::size_t depth;  // bytes of a row, a multiple of kRowBytes
  const std::byte* x;
  std::size_t x_stride;
  const std::byte* panels[kMostPanels];  // the second is nullptr if there is only one
  const void* starts[kMostPanels];       // of the sums: 16 numbers of 32 bits
  void* sums[kMostPanels];
  std::size_t sums_stride[kMostPanels];
};

template <typename Tiles>
void store_sums(Tiles& tiles, const Block& block) {
  const bool lower = block.rows > kRows;
  const auto below = [&](std::size_t panel) {
    return static_cast<std::byte*>(block.sums[panel]) + kRows * block.sums_stride[panel];
  };
  tiles.template store<0>(block.sums[0], block.sums_stride[0]);
  if (lower) tiles.template store<2>(below(0), block.sums_stride[0]);
  if (block.panels[1] == nullptr) return;
  tiles.template store<1>(block.sums[1], block.sums_stride[1]);
  if (lower) tiles.template store<3>(below(1), block.sums_stride[1]);
}

template <typename Tiles>
void multiply_block(Tiles& tiles, const Block& block) {
  const bool lower = block.rows > kRows;
  const bool second = block.panels[1] != nullptr;
  const std::byte* x = block.x;
  const std::byte* panel = block.panels[0];
  const std::byte* panel_beside = block.panels[1];
  tiles.template load<0>(block.starts[0], 0);
  if (second) tiles.template load<1>(block.starts[1], 0);
  if (lower) tiles.template load<2>(block.starts[0], 0);
  if (lower && second) tiles.template load<3>(block.starts[1], 0);
  for (std::size_t at = 0; at < block.depth; at += kRowBytes) {
    tiles.template load<4>(x + at, block.x_stride);
    tiles.template load<6>(panel, kRowBytes);
    tiles.template dot<0, 4, 6>();
    if (second) {
      tiles.template load<7>(panel_beside, kRowBytes);
      tiles.template dot<1, 4, 7>();
      panel_beside += kBytes;
    }
    if (lower) {
      tiles.template load<5>(x + kRows * block.x_stride + at, block.x_stride);
      tiles.template dot<2, 5, 6>();
      if (second) tiles.template dot<3, 5, 7>();
    }
    panel += kBytes;
  }
  store_sums(tiles, block);
}

/// Calls work(first row, rows, first panel, panels) for all blocks of a product.
template <typename Tiles, typename Work>
void for_each_block(Tiles& tiles, std::size_t rows, std::size_t panels, const Work& work) {
  std::size_t configured = 0;
  for (std::size_t panel = 0; panel < panels; panel += kMostPanels) {
    for (std::size_t row = 0; row < rows; row += kMostRows) {
      const std::size_t count = std::min(kMostRows, rows - row);
      if (count != configured) tiles.configure(shapes_for(count));
      configured = count;
      work(row, count, panel, std::min(kMostPanels, panels - panel));
    }
  }
  tiles.release();
}

/// out [16] ← the bias of a panel, padded with zeros
inline void load_bias(const float* bias, std::size_t first, std::size_t columns, float* out) {
  for (std::size_t j = 0; j < kPanelColumns; ++j) {
    out[j] = bias != nullptr && first + j < columns ? bias[first + j] : 0.0F;
  }
}

template <typename Tiles>
void multiply_bfloats(Tiles& tiles, const BfloatRows& x, const BfloatPanels& w, const float* bias,
                      const Matrix& out) {
  alignas(kRowBytes) float starts[kMostPanels][kPanelColumns];
  alignas(kRowBytes) float rest[kMostRows * kPanelColumns];  // of columns that fill no panel
  const auto* const numbers = reinterpret_cast<const std::byte*>(x.numbers.data);
  const std::size_t stride = x.numbers.stride * sizeof(float);
  const std::size_t depth = BfloatPanels::padded(w.depth) * sizeof(std::uint16_t);
  const auto work = [&](std::size_t row, std::size_t rows, std::size_t panel, std::size_t panels) {
    Block block{rows, depth, numbers + row * stride, stride, {}, {}, {}, {}};
    std::size_t left = 0;
    for (std::size_t i = 0; i < panels; ++i) {
      const std::size_t column = (panel + i) * kPanelColumns;
      load_bias(bias, column, out.cols, starts[i]);
      block.panels[i] = w.data + (panel + i) * BfloatPanels::panel_bytes(w.depth);
      block.starts[i] = starts[i];
      const bool whole = column + kPanelColumns <= out.cols;
      block.sums[i] = whole ? out.data + row * out.stride + column : rest;
      block.sums_stride[i] = (whole ? out.stride : kPanelColumns) * sizeof(float);
      if (!whole) left = out.cols - column;
    }
    multiply_block(tiles, block);
    for (std::size_t i = 0; left > 0 && i < rows; ++i) {
      float* const to = out.data + (row + i) * out.stride + out.cols - left;
      std::memcpy(to, rest + i * kPanelColumns, left * sizeof(float));
    }
  };
  for_each_block(tiles, x.numbers.rows, Panels::count(out.cols), work);
}

/// What turns the sums of a panel into numbers.
struct PanelScaling {
  std::array<float, kPanelColumns> scales;
  std::array<std::uint32_t, kPanelColumns> starts;

  explicit PanelScaling(const std::byte* panel) {
    std::memcpy(scales.data(), panel, sizeof(scales));
    std::memcpy(starts.data(), panel + sizeof(scales), sizeof(starts));
  }
  /// out [16] ← sums of one row, scaled as the other instruction sets do it
  void scale(const std::uint32_t* sums, RowScale x, const float* bias, float* out) const {
    for (std::size_t j = 0; j < kPanelColumns; ++j) {
      const std::uint32_t sum = sums[j] + static_cast<std::uint32_t>(x.zero) * starts[j];
      out[j] = std::fma(static_cast<float>(static_cast<std::int32_t>(sum)), x.scale * scales[j],
                        bias[j]);
    }
  }
};

/// The columns of one panel, from their sums [rows, 16].
inline void scale_panel(const std::uint32_t* sums, const QuantizedRows& x, const std::byte* panel,
                        const float* bias, const Matrix& out) {
  const PanelScaling scaling(panel);
  for (std::size_t i = 0; i < x.rows; ++i) {
    RowScale of_row;
    std::memcpy(&of_row, x.data + i * x.stride, sizeof(of_row));
    float scaled[kPanelColumns];
    scaling.scale(sums + i * kPanelColumns, of_row, bias, scaled);
    std::memcpy(out.row(i).data(), scaled, out.cols * sizeof(float));
  }
}

template <typename Tiles>
void multiply_integers(Tiles& tiles, const QuantizedRows& x, const QuantizedPanels& w,
                       const float* bias, const Matrix& out) {
  alignas(kRowBytes) static constexpr std::array<std::uint32_t, kPanelColumns> kZeros{};
  alignas(kRowBytes) std::uint32_t sums[kMostPanels][kMostRows * kPanelColumns];
  const std::size_t panel_bytes = QuantizedPanels::panel_bytes(w.depth);
  const auto work = [&](std::size_t row, std::size_t rows, std::size_t panel, std::size_t panels) {
    const std::byte* const numbers = x.data + row * x.stride + QuantizedRows::kHeader;
    Block block{rows, QuantizedPanels::padded(w.depth), numbers, x.stride, {}, {}, {}, {}};
    for (std::size_t i = 0; i < panels; ++i) {
      const std::byte* const begin = w.data + (panel + i) * panel_bytes;
      block.panels[i] = begin + QuantizedPanels::kHeader;
      block.starts[i] = kZeros.data();
      block.sums[i] = sums[i];
      block.sums_stride[i] = kPanelColumns * sizeof(float);
    }
    multiply_block(tiles, block);
    for (std::size_t i = 0; i < panels; ++i) {
      const std::size_t column = (panel + i) * kPanelColumns;
      float biases[kPanelColumns];
      load_bias(bias, column, out.cols, biases);
      scale_panel(sums[i], x.range(row, rows), w.data + (panel + i) * panel_bytes, biases,
                  out.row_range(row, rows).column_range(
                      column, std::min(kPanelColumns, out.cols - column)));
    }
  };
  for_each_block(tiles, x.rows, Panels::count(out.cols), work);
}

}  // namespace headlight::tiles
