// Takes the parts of a mapped file in order, each checked against what is left of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace headlight {

class FileBytes {
 public:
  FileBytes(std::string path, std::span<const std::byte> bytes)
      : path_(std::move(path)), rest_(bytes) {}

  std::size_t left() const { return rest_.size(); }
  /// A little-endian number. `part` is what the file lacks if it ends here.
  template <typename Number>
  Number number(const char* part) {
    Number value;
    std::memcpy(&value, many(1, sizeof(Number), part), sizeof(Number));
    return value;
  }
  /// The place of `count` items of `size` bytes.
  const std::byte* many(std::uint64_t count, std::size_t size, const char* part) {
    if (count > rest_.size() / size) {
      throw Error(path_, std::string("ends inside of its ") + part,
                  "the file is not complete; copy or download it again");
    }
    const std::byte* const place = rest_.data();
    rest_ = rest_.subspan(static_cast<std::size_t>(count) * size);
    return place;
  }
  /// The bytes before the next NUL, which is taken too.
  std::string_view name(const char* part) {
    const std::string_view text(reinterpret_cast<const char*>(rest_.data()), rest_.size());
    const std::size_t size = text.find('\0');
    many(size == std::string_view::npos ? UINT64_MAX : size + 1, 1, part);
    return text.substr(0, size);
  }
  [[noreturn]] void refuse(const std::string& found, const std::string& hint) const {
    throw Error(path_, found, hint);
  }
  /// Throws Error with what was found, and what was expected, unless it holds.
  void require(bool holds, const std::string& found) const {
    if (!holds) refuse(found, "the file is damaged; copy or download it again");
  }

 private:
  std::string path_;
  std::span<const std::byte> rest_;
};

}  // namespace headlight
