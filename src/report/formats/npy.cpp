#include "report/formats/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include <zlib.h>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

void append16(std::string& out, std::uint64_t number) {
  out += static_cast<char>(number & 0xFFU);
  out += static_cast<char>(number >> 8U & 0xFFU);
}

void append32(std::string& out, std::uint64_t number) {
  append16(out, number);
  append16(out, number >> 16U);
}

std::uint32_t checksum(std::string_view bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 30U;  // zlib counts in 32 bits
  uLong sum = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    const auto piece = bytes.substr(at, kPiece);
    sum = crc32(sum, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
  }
  return static_cast<std::uint32_t>(sum);
}

/// The fields shared by a file's local header and its directory entry.
std::string description(const std::string& name, const std::string& bytes) {
  constexpr std::uint64_t kVersion = 20;
  constexpr std::uint64_t kFlags = 0;
  constexpr std::uint64_t kStored = 0;
  constexpr std::uint64_t kMidnight = 0;
  constexpr std::uint64_t kFirstDay = 0x21;  // of 1980
  std::string out;
  for (const auto field : {kVersion, kFlags, kStored, kMidnight, kFirstDay}) append16(out, field);
  append32(out, checksum(bytes));
  append32(out, bytes.size());
  append32(out, bytes.size());
  append16(out, name.size());
  append16(out, 0);  // no extra field
  return out;
}

}  // namespace

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
  return npy_array(std::array{numbers.size()}, numbers);
}

std::string npy_array(std::span<const std::size_t> shape, const std::vector<std::size_t>& numbers) {
  static_assert(sizeof(std::size_t) == sizeof(std::int64_t));
  return npy_header(shape, "<i8") + std::string(reinterpret_cast<const char*>(numbers.data()),
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

void NpzWriter::write(const std::string& bytes) {
  write_(bytes);
  written_ += bytes.size();
}

void NpzWriter::add(const std::string& name, const std::string& array) {
  constexpr std::uint64_t kMost = (std::uint64_t{1} << 32U) - 65536U;  // room for the directory
  if (written_ + array.size() > kMost) {
    throw Error("", "arrays larger than 4 GiB do not fit in one NPZ file",
                "use --format npy, or select fewer with --layers or --heads");
  }
  if (files_ == UINT16_MAX) {
    throw Error("", "more than 65535 arrays do not fit in one NPZ file", "split the texts");
  }
  constexpr std::uint64_t kVersion = 20;
  const std::string file = name + ".npy";
  const std::string same = description(file, array);
  directory_ += "PK\x01\x02";
  append16(directory_, kVersion);
  directory_ += same;
  append16(directory_, 0);  // no comment
  append16(directory_, 0);  // of the first disk
  append16(directory_, 0);  // internal attributes
  append32(directory_, 0);  // external attributes
  append32(directory_, written_);
  directory_ += file;
  ++files_;
  write("PK\x03\x04" + same + file);
  write(array);
}

std::string NpzWriter::ending() const {
  std::string end = "PK\x05\x06";
  append16(end, 0);  // this disk
  append16(end, 0);  // the directory's
  append16(end, files_);
  append16(end, files_);
  append32(end, directory_.size());
  append32(end, written_);
  append16(end, 0);  // no comment
  return directory_ + end;
}

}  // namespace headlight
