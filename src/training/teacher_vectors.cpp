#include "training/teacher_vectors.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;  // bytes before the length of the header

/// The text of the header and where the numbers begin.
struct NpyHeader {
  std::string text;
  std::size_t end;
};

NpyHeader npy_header_of(std::string_view file, const std::string& path) {
  if (file.size() < kVersionEnd + 4 || !file.starts_with(kMagic)) {
    throw Error(path, "is not an NPY file", "headlight embed writes one");
  }
  const std::size_t width = file[kMagic.size()] == 1 ? 2 : 4;
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) {
    length = length << 8U | static_cast<std::uint8_t>(file[kVersionEnd + i]);
  }
  const std::size_t begin = kVersionEnd + width;
  if (length > file.size() - begin) throw Error(path, "the NPY header exceeds the file");
  return {std::string(file.substr(begin, length)), begin + length};
}

/// Takes `word` and then a number from the front of `text`, blanks before each left out.
std::optional<std::size_t> take_number(std::string_view& text, std::string_view word) {
  const auto skip_blanks = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  };
  skip_blanks();
  if (!text.starts_with(word)) return std::nullopt;
  text.remove_prefix(word.size());
  skip_blanks();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// "'shape': (10, 384)" → 10 and 384; nullopt for arrays that are not matrices.
std::optional<std::pair<std::size_t, std::size_t>> matrix_shape(std::string_view header) {
  constexpr std::string_view kShape = "'shape':";
  const std::size_t place = header.find(kShape);
  if (place == std::string_view::npos) return std::nullopt;
  std::string_view rest = header.substr(place + kShape.size());
  const auto rows = take_number(rest, "(");
  const auto cols = rows ? take_number(rest, ",") : std::nullopt;
  const std::size_t end = rest.find_first_not_of(" ,");
  if (!cols || end == std::string_view::npos || rest[end] != ')') return std::nullopt;
  return std::pair{*rows, *cols};
}

}  // namespace

TeacherVectors::TeacherVectors(const std::string& path) : path_(path), file_(path) {
  const NpyHeader header = npy_header_of(file_.text(), path);
  const auto shape = matrix_shape(header.text);
  const bool is_float = header.text.find("'<f4'") != std::string::npos;
  const bool by_rows = header.text.find("'fortran_order': False") != std::string::npos;
  if (!shape || !is_float || !by_rows || header.end % alignof(float) != 0) {
    throw Error(path, "found an array " + shortened(header.text) + ", expected a matrix of float32",
                "headlight embed writes one");
  }
  const std::size_t found = file_.text().size() - header.end;
  const auto [rows, cols] = *shape;
  if (cols == 0 || found / sizeof(float) / cols < rows || found != rows * cols * sizeof(float)) {
    throw Error(path, "has " + std::to_string(found) + " bytes of numbers, expected " +
                          std::to_string(rows) + " x " + std::to_string(cols) + " float32 numbers");
  }
  rows_ = {reinterpret_cast<const float*>(file_.bytes().data() + header.end), rows, cols};
}

}  // namespace headlight
