// Numbers in the format of a file, in rows that are converted to float32 when they are read.
#pragma once

#include <cstddef>
#include <span>

#include "math/matrix.h"
#include "math/number_format.h"

namespace headlight {

/// [rows, cols] in any format. The bytes must outlive it and need no alignment.
struct Table {
  NumberFormat format = NumberFormat::f32;
  const std::byte* bytes = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;

  /// out [cols] ← row `index`; index < rows.
  void read(std::size_t index, std::span<float> out) const {
    widen(format, bytes + index * row_bytes(), out);
  }
  /// Rows [first, first + count) as floats: in place if they can be used there, else converted into
  /// `memory`.
  ConstMatrix floats(std::size_t first, std::size_t count, Buffer& memory) const;

  Table row_range(std::size_t first, std::size_t count) const {
    return {format, bytes + first * row_bytes(), count, cols};
  }
  std::size_t row_bytes() const { return cols * bytes_each(format); }
};

}  // namespace headlight
