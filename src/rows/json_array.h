// An array of JSON, one element at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace headlight {

enum class JsonBeginning : std::uint8_t { array, lines, blank_line, unclear };

/// What begins with these bytes: an array of objects, or of nothing; unclear: more are needed.
JsonBeginning json_beginning(std::string_view bytes);

/// Where the next element of an array begins: behind white space, commas and brackets.
std::size_t find_json_element(std::string_view bytes, std::size_t from);

/// Finds the end of an element in bytes that arrive in pieces.
class JsonElementEnd {
 public:
  /// The position of the white space, comma or bracket that ends the element, or npos. `from` is
  /// the position at which the last call stopped.
  std::size_t find(std::string_view bytes, std::size_t from);

 private:
  std::size_t depth_ = 0;
  bool in_text_ = false;
  bool escaped_ = false;
};

}  // namespace headlight
