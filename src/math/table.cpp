#include "math/table.h"

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

}  // namespace headlight
