// Products of bfloat16 numbers with sums in float32. Each number of x and of the weights is rounded
// to the nearest bfloat16, ties to even; weights that are stored in this format stay as they are.
// The sum of an element starts with its bias and adds the products of two k at once, as the
// instruction VDPBF16PS does (Intel SDM, volume 2C): first that of the odd k, then that of the even
// one, each by a fused multiply-add that takes subnormal numbers as zero. The bits of an element
// depend only on its row, its column and the kind of sums. multiply() and round_row() are defined
// in kernels/bfloat.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "math/matrix.h"
#include "math/products.h"
#include "math/table.h"

namespace headlight {

/// What multiplies.
/// emulated: float32 instructions, in the order of VDPBF16PS.
/// pairs: VDPBF16PS (AVX512-BF16).
/// tiles: TDPBF16PS (AMX). It adds the sums of the even and of the odd k of each 32.
enum class BfloatMethod : std::uint8_t { emulated, pairs, tiles };

/// The fastest method that the processor and the instruction set in use support.
BfloatMethod best_bfloat_method();
/// "emulated (…)", "AVX512-BF16", "AMX"
std::string method_name(BfloatMethod method);
/// Identifies the kind of sums: those in pairs as described above, or others by a number. Results
/// are equal bit by bit for the same kind. A test product finds it, because manuals do not say
/// everything.
std::string bfloat_sums(BfloatMethod method);

/// Weights [o, k] rounded, in panels of 16 outputs, the same for all methods. A panel is
/// [k / 2, 16, 2], with k padded with zeros to a multiple of 32.
struct BfloatPanels {
  const std::byte* data = nullptr;  // 64-byte aligned
  std::size_t depth = 0;            // k
  std::size_t columns = 0;          // o

  static constexpr std::size_t padded(std::size_t depth) { return (depth + 31) / 32 * 32; }
  static constexpr std::size_t panel_bytes(std::size_t depth) {
    return padded(depth) * kPanelColumns * sizeof(std::uint16_t);
  }
  static constexpr std::size_t bytes(std::size_t depth, std::size_t columns) {
    return Panels::count(columns) * panel_bytes(depth);
  }
  /// The `count` panels from panel `first` on.
  BfloatPanels range(std::size_t first, std::size_t count) const;
};

/// Rounded rows of x, padded with zeros. For the emulation, numbers of float32 with those of k and
/// k + 1 exchanged, k even; for the others, two bfloat16 numbers in the place of one float.
struct BfloatRows {
  Matrix numbers;
  BfloatMethod method = BfloatMethod::emulated;

  /// Rows of `depth` numbers, stored in `memory`.
  static BfloatRows shape(BfloatMethod method, std::size_t rows, std::size_t depth, Buffer& memory);
  BfloatRows range(std::size_t first, std::size_t count) const {
    return {numbers.row_range(first, count), method};
  }
};

/// out [n] ← x [n, k]
void round_rows(ConstMatrix x, const BfloatRows& out);

/// Rounds the panels [first, last) of `weight` [o, k] to their places in `panels`, which has
/// BfloatPanels::bytes(k, o).
void round_panels(const Table& weight, std::size_t first, std::size_t last, std::byte* panels);

/// out [n, o] = x [n, k] · w [k, o] + bias [o]; nullptr: no bias.
void multiply(const BfloatRows& x, const BfloatPanels& w, const float* bias, Matrix out);

/// Writes the numbers of one row in the format of BfloatRows with its padding.
void round_row(std::span<const float> x, BfloatMethod method, float* out);

}  // namespace headlight
