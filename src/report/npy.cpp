#include "report/npy.h"

#include <array>
#include <bit>
#include <string_view>

#include "base/error.h"

namespace headlight {

std::string npy_header(std::span<const std::size_t> shape) {
  constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);  // and the version, 1.0
  constexpr std::size_t kLengthBytes = 2;
  constexpr std::size_t kAlignment = 64;
  std::string sizes;
  for (const std::size_t size : shape) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  if (shape.size() == 1) sizes += ',';  // a Python tuple of one
  std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + sizes + "), }";
  const std::size_t used = kMagic.size() + kLengthBytes + text.size() + 1;
  text.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string header(kMagic);
  header += static_cast<char>(text.size() & 0xFFU);
  header += static_cast<char>(text.size() >> 8U);
  return header + text;
}

void write_npy(Output& output, const std::vector<std::vector<float>>& matrices, std::size_t n) {
  static_assert(std::endian::native == std::endian::little, "numbers are written as they are");
  const std::size_t count = matrices.empty() ? 0 : matrices.front().size();
  for (const auto& matrix : matrices) {
    if (matrix.size() == count) continue;
    throw Error("", "vectors of " + std::to_string(count / n) + " and of " +
                        std::to_string(matrix.size() / n) + " numbers do not fit in one array");
  }
  output.write(npy_header(std::array{matrices.size(), n, count / n}));
  for (const auto& matrix : matrices) {
    output.write({reinterpret_cast<const char*>(matrix.data()), matrix.size() * sizeof(float)});
  }
}

}  // namespace headlight
