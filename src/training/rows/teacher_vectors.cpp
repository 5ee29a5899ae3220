#include "training/rows/teacher_vectors.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;         // bytes before the length of the header
constexpr std::size_t kLongestHeader = 10000;  // that NumPy reads
constexpr const char* kHint = "headlight embed -o FILE.npy writes a matrix of float32";

/// The Python literal of a header as JSON, which has other brackets, quotes and words, and no comma
/// before a closing bracket.
Json parse_literal(std::string_view literal) {
  std::string json;
  bool quoted = false;
  for (char c : literal) {
    if (c == '\'') {
      quoted = !quoted;
      c = '"';
    } else if (!quoted) {
      constexpr std::string_view kPython = "()TF";
      const std::size_t found = kPython.find(c);
      if (found != std::string_view::npos) c = "[]tf"[found];
      const std::size_t last = json.find_last_not_of(" \n");
      const bool closes = (c == ']' || c == '}') && last != std::string::npos;
      if (closes && json[last] == ',') json.erase(last, 1);
    }
    json += c;
  }
  return Json::parse(json, nullptr, /*allow_exceptions=*/false);
}

/// Rows and columns. Throws Error if the array is not a matrix of float32 in row order.
std::pair<std::size_t, std::size_t> matrix_shape(std::string_view header, const std::string& path) {
  const Json json = parse_literal(header);
  if (!json.is_object()) {
    throw Error(path,
                "the NPY header is " + shortened(header.substr(0, header.find('\n'))) +
                    ", expected a dictionary",
                kHint);
  }
  Fields fields(json, path);
  if (fields.required_string("descr") != "<f4") fields.fail("descr", "\"<f4\", which is float32");
  if (fields.flag_or("fortran_order", true)) fields.fail("fortran_order", "false");
  const std::vector<std::size_t> shape = fields.sizes("shape", 0);
  if (shape.size() != 2) fields.fail("shape", "rows and columns");
  fields.refuse_unknown();
  return {shape[0], shape[1]};
}

/// The bytes of the header's text in the file.
std::string_view header_text(std::string_view file, const std::string& path) {
  if (file.size() < kVersionEnd + 4 || !file.starts_with(kMagic)) {
    throw Error(path, "is not an NPY file", kHint);
  }
  const int major = static_cast<std::uint8_t>(file[kMagic.size()]);
  const int minor = static_cast<std::uint8_t>(file[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    throw Error(path, "has NPY version " + std::to_string(major) + '.' + std::to_string(minor) +
                          ", expected 1.0, 2.0 or 3.0");
  }
  const std::size_t width = major == 1 ? 2 : 4;
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) {
    length = length << 8U | static_cast<std::uint8_t>(file[kVersionEnd + i]);
  }
  const std::size_t begin = kVersionEnd + width;
  const std::size_t most = std::min(kLongestHeader, file.size() - begin);
  if (length > most) {
    throw Error(path, "has an NPY header of " + std::to_string(length) +
                          " bytes, expected at most " + std::to_string(most));
  }
  if ((begin + length) % alignof(float) != 0) {
    throw Error(path, "has numbers from byte " + std::to_string(begin + length) +
                          ", expected a multiple of " + std::to_string(alignof(float)));
  }
  return file.substr(begin, length);
}

}  // namespace

TeacherVectors::TeacherVectors(const std::string& path) : path_(path), file_(path) {
  const std::string_view header = header_text(file_.text(), path);
  const auto [rows, cols] = matrix_shape(header, path);
  const std::string_view numbers =
      file_.text().substr(static_cast<std::size_t>(header.end() - file_.text().begin()));
  const std::size_t found = numbers.size();
  if (cols == 0 || found / sizeof(float) / cols < rows || found != rows * cols * sizeof(float)) {
    throw Error(path, "has " + std::to_string(found) + " bytes of numbers, expected " +
                          std::to_string(rows) + " x " + std::to_string(cols) + " float32 numbers");
  }
  rows_ = {reinterpret_cast<const float*>(numbers.data()), rows, cols};
}

void require_vectors(const std::string& path, RowReader& rows) {
  const std::size_t vectors = TeacherVectors(path).rows().rows;
  const std::size_t count = rows.count_rows();
  if (vectors == count || is_interrupted()) return;
  throw Error(path,
              "has " + counted(vectors, "vector") + ", but " + rows.name() + " has " +
                  counted(count, "row"),
              "it needs a vector for each row of the file, also with --skip, --limit and --shard");
}

}  // namespace headlight
