#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>

#include "base/error.h"

namespace headlight {
namespace {

/// The number of bytes before the first eight that are not all ASCII, or before the last seven.
std::size_t count_ascii(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::size_t at = 0;
  for (std::uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
    std::memcpy(&eight, text.data() + at, sizeof eight);
    if ((eight & kHighBits) != 0) break;
  }
  return at;
}

}  // namespace

std::optional<Decoded> decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80U) return Decoded{first, 1};
  if (first >= 0xC2U && first <= 0xDFU && continues(1)) {
    return Decoded{((first & 0x1FU) << 6U) | (byte(1) & 0x3FU), 2};
  }
  if (first >= 0xE0U && first <= 0xEFU && continues(1) && continues(2)) {
    const unsigned c = ((first & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
    if (c >= 0x800U && (c < 0xD800U || c > 0xDFFFU)) return Decoded{c, 3};
  }
  if (first >= 0xF0U && first <= 0xF4U && continues(1) && continues(2) && continues(3)) {
    const unsigned c = ((first & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) |
                       ((byte(2) & 0x3FU) << 6U) | (byte(3) & 0x3FU);
    if (c >= 0x10000U && c <= 0x10FFFFU) return Decoded{c, 4};
  }
  return std::nullopt;
}

std::optional<std::size_t> find_bad_utf8(std::string_view text) {
  std::size_t at = count_ascii(text);
  while (at < text.size()) {
    const auto decoded = decode_utf8(text, at);
    if (!decoded) return at;
    at += decoded->bytes;
    if (decoded->bytes == 1) at += count_ascii(text.substr(at));
  }
  return std::nullopt;
}

std::u32string to_code_points(std::string_view text) {
  std::u32string out(text.size(), U'\0');
  std::size_t size = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t ascii = count_ascii(text.substr(at));
    for (const std::size_t end = at + ascii; at < end; ++at) {
      out[size++] = static_cast<unsigned char>(text[at]);
    }
    // A character next to a non-ASCII one is often not ASCII either.
    for (std::size_t i = 0; i < 8 && at < text.size(); ++i) {
      const auto decoded = decode_utf8(text, at);
      if (!decoded) throw TextError("not valid UTF-8 at byte " + std::to_string(at));
      out[size++] = decoded->code_point;
      at += decoded->bytes;
    }
  }
  out.resize(size);
  return out;
}

std::size_t write_utf8(std::u32string_view code_points, char* out) {
  char* end = out;
  const auto write = [&](char32_t bits) { *end++ = static_cast<char>(bits); };
  const auto write_tail = [&](char32_t c, unsigned shift) {
    write(0x80U | ((c >> shift) & 0x3FU));
  };
  for (const char32_t c : code_points) {
    if (c < 0x80U) {
      write(c);
    } else if (c < 0x800U) {
      write(0xC0U | (c >> 6U));
      write_tail(c, 0);
    } else if (c < 0x10000U) {
      write(0xE0U | (c >> 12U));
      write_tail(c, 6);
      write_tail(c, 0);
    } else {
      write(0xF0U | (c >> 18U));
      write_tail(c, 12);
      write_tail(c, 6);
      write_tail(c, 0);
    }
  }
  return static_cast<std::size_t>(end - out);
}

std::size_t count_characters(std::string_view text) {
  return text.size() -
         static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_character));
}

std::vector<std::size_t> characters_of_bytes(std::string_view text) {
  std::vector<std::size_t> numbers(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    numbers[i + 1] = numbers[i] + (continues_character(text[i]) ? 0 : 1);
  }
  // A byte inside of a character belongs to the one that it is in.
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continues_character(text[i]) && numbers[i] > 0) --numbers[i];
  }
  return numbers;
}

std::size_t bytes_of_characters(std::string_view text, std::size_t count) {
  std::size_t bytes = 0;
  while (bytes < text.size() && (count > 0 || continues_character(text[bytes]))) {
    if (!continues_character(text[bytes])) --count;
    ++bytes;
  }
  return bytes;
}

void append_utf8(std::string& out, char32_t code_point) {
  std::array<char, kLongestUtf8> bytes{};
  out.append(bytes.data(), write_utf8({&code_point, 1}, bytes.data()));
}

std::string to_utf8(std::u32string_view code_points) {
  std::string out;
  out.reserve(code_points.size());
  for (const char32_t c : code_points) append_utf8(out, c);
  return out;
}

std::string shortened(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  while (longest > 0 && continues_character(text[longest])) --longest;
  return std::string(text.substr(0, longest)) + "…";
}

std::string formatted(const char* format, double value) {
  std::array<char, 400> buffer{};  // the largest float64 with all its digits
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

std::string counted(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& items, std::size_t most) {
  const std::size_t shown = std::min(items.size(), most);
  const std::string text = joined(std::span(items).first(shown), ", ",
                                  [](const std::string& item) { return shortened(item); });
  const std::size_t left = items.size() - shown;
  return left == 0 ? text : text + " and " + std::to_string(left) + " more";
}

namespace {

bool is_harmless(char32_t c) {
  const bool control = c < 0x20U || (c >= 0x7FU && c <= 0x9FU);
  const bool separator = c == 0x2028U || c == 0x2029U;
  const bool direction = c == 0x061CU || c == 0x200EU || c == 0x200FU ||
                         (c >= 0x202AU && c <= 0x202EU) || (c >= 0x2066U && c <= 0x2069U);
  const bool no_xml = c == 0xFFFEU || c == 0xFFFFU;  // of the rest, XML 1.0 forbids only these
  return !control && !separator && !direction && !no_xml;
}

void append_escape(std::string& out, char32_t c) {
  if (c == U'\n') {
    out += "\\n";
  } else if (c == U'\t') {
    out += "\\t";
  } else if (c == U'\r') {
    out += "\\r";
  } else {
    std::array<char, 16> buffer{};
    const char* format = c < 0x100U ? "\\x%02x" : "\\u%04x";
    std::snprintf(buffer.data(), buffer.size(), format, static_cast<unsigned>(c));
    out += buffer.data();
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  while (at < text.size()) {
    const auto decoded = decode_utf8(text, at);
    if (decoded && is_harmless(decoded->code_point)) {
      out += text.substr(at, decoded->bytes);
    } else {
      append_escape(out, decoded ? decoded->code_point : static_cast<unsigned char>(text[at]));
    }
    at += decoded ? decoded->bytes : 1;
  }
  return out;
}

}  // namespace headlight
