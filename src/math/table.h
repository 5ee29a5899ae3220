// Numbers in the format of a file, in rows that are converted to float32 when they are read.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/matrix.h"
#include "math/number_format.h"

namespace headlight {

/// [rows, cols] in any format. The bytes must outlive it and need no alignment.
struct Table {
  NumberFormat format = NumberFormat::f32;
  const std::byte* bytes = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  /// [rows] of NumberFormat::i8 only: each row is multiplied by its scale when it is read.
  const float* scales = nullptr;

  /// out [cols] ← row `index`; index < rows.
  void read(std::size_t index, std::span<float> out) const {
    widen(format, bytes + index * row_bytes(), out);
    if (scales == nullptr) return;
    for (float& value : out) value *= scales[index];
  }
  /// Rows [first, first + count) as floats: in place if they can be used there, else converted into
  /// `memory`.
  ConstMatrix floats(std::size_t first, std::size_t count, Buffer& memory) const;

  Table row_range(std::size_t first, std::size_t count) const {
    return {format, bytes + first * row_bytes(), count, cols,
            scales == nullptr ? nullptr : scales + first};
  }
  std::size_t row_bytes() const { return cols * bytes_each(format); }
};

/// A table of NumberFormat::i8 with memory of its own.
struct Int8Table {
  /// Each row gets the scale max|v| / 127, and integers from -127 to 127, halves to even.
  explicit Int8Table(const Table& from);

  Table table() const {
    return {NumberFormat::i8, integers.data(), scales.size(), cols, scales.data()};
  }

  std::vector<std::byte> integers;  // [rows, cols]
  std::vector<float> scales;        // [rows]
  std::size_t cols;
};

}  // namespace headlight
