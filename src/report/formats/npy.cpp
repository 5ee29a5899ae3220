#include "report/formats/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

std::string npy_header(std::span<const std::size_t> shape, const std::string& type) {
  constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);  // and the version, 1.0
  constexpr std::size_t kLengthBytes = 2;
  constexpr std::size_t kAlignment = 64;
  std::string sizes;
  for (const std::size_t size : shape) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  if (shape.size() == 1) sizes += ',';  // a Python tuple of one
  std::string text =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
  const std::size_t used = kMagic.size() + kLengthBytes + text.size() + 1;
  text.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string header(kMagic);
  header += static_cast<char>(text.size() & 0xFFU);
  header += static_cast<char>(text.size() >> 8U);
  return header + text;
}

std::string npy_numbers(std::span<const float> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

std::string npy_array(const std::vector<std::size_t>& numbers) {
  static_assert(sizeof(std::size_t) == sizeof(std::int64_t));
  return npy_header(std::array{numbers.size()}, "<i8") +
         std::string(reinterpret_cast<const char*>(numbers.data()),
                     numbers.size() * sizeof(std::size_t));
}

std::string npy_array(const std::vector<std::string>& texts) {
  std::vector<std::u32string> wide;
  std::size_t longest = 1;  // NumPy has no type for empty texts
  for (const auto& text : texts) {
    longest = std::max(longest, wide.emplace_back(to_code_points(text)).size());
  }
  std::string array = npy_header(std::array{texts.size()}, "<U" + std::to_string(longest));
  for (auto& text : wide) {
    text.resize(longest, U'\0');
    array.append(reinterpret_cast<const char*>(text.data()), longest * sizeof(char32_t));
  }
  return array;
}

std::string npy_array(std::span<const std::size_t> shape, std::span<const float> numbers) {
  return npy_header(shape) + npy_numbers(numbers);
}

void write_npy(Output& output, const std::vector<std::vector<float>>& matrices, std::size_t n) {
  const std::size_t count = matrices.empty() ? 0 : matrices.front().size();
  for (const auto& matrix : matrices) {
    if (matrix.size() == count) continue;
    throw Error("", "vectors of " + std::to_string(count / n) + " and " +
                        std::to_string(matrix.size() / n) +
                        " numbers cannot be stored in one array");
  }
  output.write(npy_header(std::array{matrices.size(), n, count / n}));
  for (const auto& matrix : matrices) output.write(npy_numbers(matrix));
}

}  // namespace headlight
