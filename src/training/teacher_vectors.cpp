#include "training/teacher_vectors.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;         // bytes before the length of the header
constexpr std::size_t kLongestHeader = 10000;  // that NumPy reads
constexpr std::string_view kShape = "a shape of rows and columns";
constexpr const char* kHint = "headlight embed -o FILE.npy writes a matrix of float32";

/// The text of the header, a Python literal, read from its front.
class HeaderText {
 public:
  HeaderText(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  /// Whether `word` comes after blanks.
  bool at(std::string_view word) {
    at_ = std::min(text_.find_first_not_of(" \n", at_), text_.size());
    return text_.substr(at_).starts_with(word);
  }
  /// The same, and passes it.
  bool takes(std::string_view word) {
    const bool is_here = at(word);
    if (is_here) at_ += word.size();
    return is_here;
  }
  void take(std::string_view word, std::string_view expected) {
    if (!takes(word)) fail(expected);
  }
  bool is_over() { return at("") && at_ == text_.size(); }
  std::string key() {
    take("'", "a key");
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) fail("a key");
    const std::size_t begin = std::exchange(at_, end + 1);
    return std::string(text_.substr(begin, end - begin));
  }
  std::size_t number() {
    at("");  // passes blanks
    std::size_t number = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (error != std::errc()) fail(kShape);
    at_ += static_cast<std::size_t>(end - begin);
    return number;
  }
  [[noreturn]] void fail(std::string_view expected) const {
    throw Error(path_,
                "the NPY header has \"" + shortened(text_.substr(at_), kShown) + "\" at byte " +
                    std::to_string(at_) + ", expected " + std::string(expected),
                kHint);
  }

 private:
  static constexpr std::size_t kShown = 20;
  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

/// Rows and columns of the dictionary of a header, which has three keys, each once, in any order.
std::pair<std::size_t, std::size_t> matrix_shape(HeaderText text) {
  std::pair<std::size_t, std::size_t> shape;
  std::set<std::string> keys;
  text.take("{", "a dictionary");
  do {
    const std::string key = text.key();
    text.take(":", "a colon");
    if (!keys.insert(key).second) text.fail("each key once, found " + key + " again");
    if (key == "descr") {
      text.take("'<f4'", "descr '<f4', float32");
    } else if (key == "fortran_order") {
      text.take("False", "fortran_order False");
    } else if (key == "shape") {
      text.take("(", kShape);
      shape.first = text.number();
      text.take(",", kShape);
      shape.second = text.number();
      text.takes(",");
      text.take(")", kShape);
    } else {
      text.fail("descr, fortran_order or shape, found " + shortened(key));
    }
  } while (text.takes(",") && !text.at("}"));
  text.take("}", "a comma or its end");
  if (!text.is_over()) text.fail("its end");
  if (keys.size() != 3) text.fail("descr, fortran_order and shape before");
  return shape;
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
  if (length > kLongestHeader) {
    throw Error(path, "has an NPY header of " + std::to_string(length) +
                          " bytes, expected at most " + std::to_string(kLongestHeader));
  }
  if (length > file.size() - begin) throw Error(path, "the NPY header exceeds the file");
  if ((begin + length) % alignof(float) != 0) {
    throw Error(path, "has numbers from byte " + std::to_string(begin + length) +
                          ", expected a multiple of " + std::to_string(alignof(float)));
  }
  return file.substr(begin, length);
}

}  // namespace

TeacherVectors::TeacherVectors(const std::string& path) : path_(path), file_(path) {
  const std::string_view header = header_text(file_.text(), path);
  const auto [rows, cols] = matrix_shape({header, path});
  const std::string_view numbers =
      file_.text().substr(static_cast<std::size_t>(header.end() - file_.text().begin()));
  const std::size_t found = numbers.size();
  if (cols == 0 || found / sizeof(float) / cols < rows || found != rows * cols * sizeof(float)) {
    throw Error(path, "has " + std::to_string(found) + " bytes of numbers, expected " +
                          std::to_string(rows) + " x " + std::to_string(cols) + " float32 numbers");
  }
  rows_ = {reinterpret_cast<const float*>(numbers.data()), rows, cols};
}

}  // namespace headlight
