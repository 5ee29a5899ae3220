// Writes all our JSON: fields in the order of the calls, shortest decimals, valid UTF-8, no line
// breaks inside a value.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// Writes into a string. Numbers must be finite and strings valid UTF-8.
class JsonWriter {
 public:
  /// `ascii`: escape every character above U+007E. `decimals`: round numbers to this many decimals.
  explicit JsonWriter(std::string& out, bool ascii = false,
                      std::optional<unsigned> decimals = std::nullopt)
      : out_(out), ascii_(ascii), decimals_(decimals) {}

  /// From now on, white space and escapes are those of Python's json.dumps().
  void write_as_python() { python_ = ascii_ = true; }

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& string(std::string_view text);
  /// The shortest decimal that is read back as the same float32 (or float64).
  JsonWriter& number(float value);
  JsonWriter& number(double value);
  JsonWriter& number(std::size_t value);
  JsonWriter& null() { return raw("null"); }
  /// Inserts JSON text as it is.
  JsonWriter& raw(std::string_view json);
  /// Inserts valid JSON from a file, joined to one line.
  JsonWriter& foreign(std::string_view json);

  /// An array; `write` writes an item.
  template <typename Items, typename Write>
  JsonWriter& array(const Items& items, const Write& write) {
    begin_array();
    for (const auto& item : items) write(item);
    return end_array();
  }
  JsonWriter& strings(const std::vector<std::string>& items) {
    return array(items, [&](const std::string& item) { string(item); });
  }
  template <typename Number>
  JsonWriter& numbers(const std::vector<Number>& items) {
    return array(items, [&](Number item) { number(item); });
  }

  JsonWriter& field(std::string_view name, std::string_view text) { return key(name).string(text); }
  JsonWriter& field(std::string_view name, const std::string& text) {
    return key(name).string(text);
  }
  JsonWriter& field(std::string_view name, const char* text) { return key(name).string(text); }
  template <typename Number>
  requires std::floating_point<Number> || std::same_as<Number, std::size_t> JsonWriter& field(
      std::string_view name, Number value) {
    return key(name).number(value);
  }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();
  void escape(char32_t c);
  void append(char32_t c);

  std::string& out_;
  bool ascii_;
  std::optional<unsigned> decimals_;
  bool python_ = false;
  bool needs_comma_ = false;
};

/// A document: what `write(json)` writes, and a newline.
template <typename Write>
std::string json_document(bool ascii, const Write& write) {
  std::string document;
  JsonWriter json(document, ascii);
  write(json);
  return document + '\n';
}

/// How a document that is an object ends.
inline constexpr std::string_view kObjectEnd = "}\n";
/// Adds a field such as `"a":1` to a document, or to its end, if it is an object with fields.
void add_last_field(std::string& document, std::string_view field);

}  // namespace headlight
