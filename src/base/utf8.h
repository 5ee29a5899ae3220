// UTF-8: checked decoding, encoding, and text made harmless for a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// One code point and how many bytes it took.
struct Decoded {
  char32_t code_point;
  std::size_t bytes;
};

/// The code point at `at` (at < text.size()), or nothing where the bytes are not well-formed UTF-8
/// (Unicode 15, table 3-7: no surrogates, no overlong forms, at most U+10FFFF).
std::optional<Decoded> decode_utf8(std::string_view text, std::size_t at);

/// The byte where `text` stops being well-formed UTF-8, or nothing where all of it is.
std::optional<std::size_t> find_bad_utf8(std::string_view text);

/// The code points of `text`. Throws TextError naming the first bad byte.
std::u32string to_code_points(std::string_view text);

void append_utf8(std::string& out, char32_t code_point);
std::string to_utf8(std::u32string_view code_points);

/// The most bytes that a code point takes.
inline constexpr std::size_t kLongestUtf8 = 4;

/// Writes to `out`, which has room for kLongestUtf8 bytes a code point, and returns the bytes
/// written.
std::size_t write_utf8(std::u32string_view code_points, char* out);

/// `text` on one line and without power over a terminal: control, line-separating and
/// direction-changing characters are written as escapes (\n, \x1b, \u202e), bad bytes as \xNN.
std::string printable(std::string_view text);

/// The beginning of `text`, at most `longest` bytes of it, with … where something is left out.
std::string shortened(std::string_view text, std::size_t longest = 80);

/// "a, b, c and 7 more": at most `most` of them, each shortened().
std::string listed(const std::vector<std::string>& items, std::size_t most);

}  // namespace headlight
