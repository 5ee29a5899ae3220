// UTF-8: checked decoding, encoding, and escaping for a terminal.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

/// A code point and its length in bytes.
struct Decoded {
  char32_t code_point;
  std::size_t bytes;
};

/// The code point at `at` (at < text.size()), or nullopt if the bytes are not well-formed UTF-8
/// (Unicode 15, table 3-7: no surrogates, no overlong forms, at most U+10FFFF).
std::optional<Decoded> decode_utf8(std::string_view text, std::size_t at);

/// The offset of the first byte that is not well-formed UTF-8, or nullopt if there is none.
std::optional<std::size_t> find_bad_utf8(std::string_view text);

/// Whether a byte of well-formed UTF-8 belongs to the character of the byte before it.
constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The number of code points of well-formed UTF-8.
std::size_t count_characters(std::string_view text);

/// The code point of each byte of a text, which may be no UTF-8, and of its end.
std::vector<std::size_t> characters_of_bytes(std::string_view text);

/// The bytes of the first `count` code points, or of all of them.
std::size_t bytes_of_characters(std::string_view text, std::size_t count);

/// The code points of `text`. Throws TextError that names the first bad byte.
std::u32string to_code_points(std::string_view text);

void append_utf8(std::string& out, char32_t code_point);
std::string to_utf8(std::u32string_view code_points);

/// The maximum number of bytes of a code point.
inline constexpr std::size_t kLongestUtf8 = 4;

/// Writes to `out`, which must have room for kLongestUtf8 bytes per code point. Returns the number
/// of bytes written.
std::size_t write_utf8(std::u32string_view code_points, char* out);

/// `text` on one line, safe to print on a terminal: control, line-separating and direction-changing
/// characters become escapes (\n, \x1b, \u202e), as do those that XML forbids; bad bytes become
/// \xNN.
std::string printable(std::string_view text);

/// The first bytes of `text`, at most `longest`, followed by … if some are left out.
std::string shortened(std::string_view text, std::size_t longest = 80);

/// `value` in a printf format.
std::string formatted(const char* format, double value);

/// "1 row", "2 rows"
std::string counted(std::size_t count, const std::string& thing);

/// The items, each as `text_of` gives it, with `between` between them.
template <typename Items, typename TextOf = std::identity>
std::string joined(const Items& items, std::string_view between = ", ", TextOf text_of = {}) {
  std::string text;
  bool is_first = true;
  for (const auto& item : items) {
    if (!std::exchange(is_first, false)) text += between;
    text += std::invoke(text_of, item);
  }
  return text;
}

/// "a, b, c and 7 more": at most `most` items, each shortened().
std::string listed(const std::vector<std::string>& items, std::size_t most);

}  // namespace headlight
