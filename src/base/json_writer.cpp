#include "base/json_writer.h"

#include <array>
#include <charconv>

#include "base/utf8.h"

namespace headlight {
namespace {

/// Quotes, backslashes, control characters (U+009B starts terminal commands), and line separators
/// of some readers. RFC 8259 §7 allows any character to be escaped.
bool must_escape(char32_t c) {
  return c < 0x20U || c == U'"' || c == U'\\' || (c >= 0x7FU && c <= 0x9FU) || c == 0x2028U ||
         c == 0x2029U;
}

/// Neither escaped nor a part of another character.
bool is_plain(char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; }

template <typename Number>
void append_number(std::string& out, Number value) {
  std::array<char, 40> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), result.ptr);
}

/// The float64 nearest to `value` rounded to `decimals` decimals; never -0.
double rounded(double value, unsigned decimals) {
  std::array<char, 400> buffer{};  // the largest float64 with all its digits
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::fixed, static_cast<int>(decimals));
  double result = 0.0;
  std::from_chars(buffer.data(), written.ptr, result);
  return result + 0.0;
}

}  // namespace

void JsonWriter::separate() {
  if (needs_comma_) out_ += python_ ? ", " : ",";
  needs_comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  string(name);
  out_ += python_ ? ": " : ":";
  needs_comma_ = false;
  return *this;
}

void JsonWriter::escape(char32_t c) {
  const auto unit = [&](unsigned code) {
    constexpr std::string_view kHexDigits = "0123456789abcdef";
    out_ += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) out_ += kHexDigits[(code >> shift) & 0xFU];
  };
  if (c == U'"') {
    out_ += "\\\"";
  } else if (c == U'\\') {
    out_ += "\\\\";
  } else if (c == U'\n') {
    out_ += "\\n";
  } else if (c == U'\t') {
    out_ += "\\t";
  } else if (c == U'\r') {
    out_ += "\\r";
  } else if (python_ && (c == U'\b' || c == U'\f')) {
    out_ += c == U'\b' ? "\\b" : "\\f";
  } else if (c < 0x10000U) {
    unit(c);
  } else {
    unit(0xD800U + ((c - 0x10000U) >> 10U));
    unit(0xDC00U + ((c - 0x10000U) & 0x3FFU));
  }
}

void JsonWriter::append(char32_t c) {
  if (must_escape(c) || (ascii_ && c > 0x7EU)) {
    escape(c);
  } else {
    append_utf8(out_, c);
  }
}

JsonWriter& JsonWriter::string(std::string_view text) {
  separate();
  out_ += '"';
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at;
    while (end < text.size() && is_plain(text[end])) ++end;
    out_ += text.substr(at, end - at);
    if ((at = end) == text.size()) break;
    // A byte that is not valid UTF-8 becomes U+FFFD.
    const Decoded decoded = decode_utf8(text, at).value_or(Decoded{0xFFFDU, 1});
    append(decoded.code_point);
    at += decoded.bytes;
  }
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::foreign(std::string_view json) {
  separate();
  std::size_t at = 0;
  while (at < json.size()) {
    const Decoded decoded = decode_utf8(json, at).value_or(Decoded{0xFFFDU, 1});
    const char32_t c = decoded.code_point;
    if (c == U'"' || c == U'\\') {
      out_ += static_cast<char>(c);
    } else if (c >= 0x20U) {  // below U+0020 is only white space between values
      append(c);
    }
    at += decoded.bytes;
  }
  return *this;
}

JsonWriter& JsonWriter::number(float value) {
  if (decimals_) return number(static_cast<double>(value));
  separate();
  append_number(out_, value);
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  separate();
  append_number(out_, decimals_ ? rounded(value, *decimals_) : value);
  return *this;
}

JsonWriter& JsonWriter::number(std::size_t value) {
  separate();
  append_number(out_, value);
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

void add_last_field(std::string& document, std::string_view field) {
  if (!document.ends_with(kObjectEnd)) return;
  document.resize(document.size() - kObjectEnd.size());
  document.append(",").append(field).append(kObjectEnd);
}

}  // namespace headlight
