#include "math/table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headlight {

ConstMatrix Table::floats(std::size_t first, std::size_t count, Buffer& memory) const {
  const std::byte* begin = bytes + first * row_bytes();
  const bool aligned = reinterpret_cast<std::uintptr_t>(begin) % alignof(float) == 0;
  if (format == NumberFormat::f32 && aligned) {
    return {reinterpret_cast<const float*>(begin), count, cols};
  }
  const Matrix widened = memory.shape(count, cols);
  for (std::size_t i = 0; i < count; ++i) read(first + i, widened.row(i));
  return widened;
}

Int8Table::Int8Table(const Table& from) : cols(from.cols) {
  constexpr float kLargest = 127.0F;
  std::vector<float> row(cols);
  integers.reserve(from.rows * cols);
  for (std::size_t i = 0; i < from.rows; ++i) {
    from.read(i, row);
    float largest = 0.0F;
    for (const float value : row) largest = std::max(largest, std::abs(value));
    const float scale = largest / kLargest;
    scales.push_back(scale);
    for (const float value : row) {
      const float integer = scale > 0.0F ? std::nearbyint(value / scale) : 0.0F;
      integers.push_back(static_cast<std::byte>(static_cast<std::int8_t>(integer)));
    }
  }
}

}  // namespace headlight
