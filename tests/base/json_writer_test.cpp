#include "base/json_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace headlight::json_writer_test {
namespace {

std::string string_of(std::string_view text, bool ascii) {
  std::string out;
  JsonWriter(out, ascii).string(text);
  return out;
}

template <typename Number>
std::string number_of(Number value) {
  std::string out;
  JsonWriter(out).number(value);
  return out;
}

TEST_CASE("strings are escaped where JSON, a terminal or a reader of lines needs it") {
  struct Row {
    std::string text;
    std::string json;
    std::string ascii;
  };
  const Row rows[] = {
      {"", R"("")", R"("")"},
      {"plain /text'", R"("plain /text'")", R"("plain /text'")"},
      {"\"\\", R"("\"\\")", R"("\"\\")"},
      {"\n\t\r\b\f", R"("\n\t\r\u0008\u000c")", R"("\n\t\r\u0008\u000c")"},
      {std::string("\0\x1B", 2), R"("\u0000\u001b")", R"("\u0000\u001b")"},
      {"~\x7F", R"("~\u007f")", R"("~\u007f")"},
      {"\u0085\u009B", R"("\u0085\u009b")", R"("\u0085\u009b")"},
      {"\u2028\u2029", R"("\u2028\u2029")", R"("\u2028\u2029")"},
      {"é中", R"("é中")", R"("\u00e9\u4e2d")"},
      {"\uFFFF", "\"\uFFFF\"", R"("\uffff")"},
      {"\U00010000", "\"\U00010000\"", R"("\ud800\udc00")"},
      {"😀", R"("😀")", R"("\ud83d\ude00")"},
      {"\U0010FFFF", "\"\U0010FFFF\"", R"("\udbff\udfff")"},
      {"a\xFF\xE2\x80z", "\"a\uFFFD\uFFFD\uFFFDz\"", R"("a\ufffd\ufffd\ufffdz")"},
  };
  for (const auto& [text, json, ascii] : rows) {
    CHECK(string_of(text, false) == json);
    CHECK(string_of(text, true) == ascii);
  }
}

TEST_CASE("every code point is read back, and nothing but ASCII is left with ascii") {
  std::string text;
  for (char32_t c = 1; c <= 0x10FFFFU; c += c < 0x3000U ? 1U : 0x101U) {
    if (c >= 0xD800U && c <= 0xDFFFU) continue;
    const std::u32string one(1, c);
    const auto tail = [&](unsigned shift) {
      return static_cast<char>(0x80U | ((c >> shift) & 0x3FU));
    };
    if (c < 0x80U) {
      text += static_cast<char>(c);
    } else if (c < 0x800U) {
      text += {static_cast<char>(0xC0U | (c >> 6U)), tail(0)};
    } else if (c < 0x10000U) {
      text += {static_cast<char>(0xE0U | (c >> 12U)), tail(6), tail(0)};
    } else {
      text += {static_cast<char>(0xF0U | (c >> 18U)), tail(12), tail(6), tail(0)};
    }
  }
  for (const bool ascii : {false, true}) {
    const std::string json = string_of(text, ascii);
    CHECK(nlohmann::json::parse(json).get<std::string>() == text);
    if (!ascii) continue;
    CHECK(std::all_of(json.begin(), json.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  }
}

TEST_CASE("numbers are short, and valid JSON") {
  struct Row {
    float value;
    std::string json;
  };
  const Row rows[] = {
      {0.0F, "0"},
      {-0.0F, "-0"},
      {1.0F, "1"},
      {-1.5F, "-1.5"},
      {0.1F, "0.1"},
      {1e-7F, "1e-07"},
      {1e20F, "1e+20"},
      {0.98205405F, "0.98205405"},
      {3.4028235e38F, "3.4028235e+38"},
      {1e-45F, "1e-45"},
      {16777216.0F, "16777216"},
  };
  for (const auto& [value, json] : rows) {
    CHECK(number_of(value) == json);
    CHECK(nlohmann::json::parse(json).get<float>() == value);
  }
  CHECK(number_of(0.1) == "0.1");
  CHECK(number_of(1.0 / 3.0) == "0.3333333333333333");
  CHECK(number_of(std::size_t{18446744073709551615U}) == "18446744073709551615");
}

TEST_CASE("every float32 is read back with its bits, and is no longer than its nine digits") {
  std::mt19937_64 engine(1);
  for (int i = 0; i < 50'000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(engine()));
    if (!std::isfinite(value)) continue;
    const std::string json = number_of(value);
    const float back = std::strtof(json.c_str(), nullptr);
    std::array<char, 40> nine{};
    const int length = std::snprintf(nine.data(), nine.size(), "%.9g", static_cast<double>(value));
    if (std::bit_cast<std::uint32_t>(back) != std::bit_cast<std::uint32_t>(value)) FAIL(json);
    if (json.size() > static_cast<std::size_t>(length)) FAIL(json);
  }
}

TEST_CASE("commas stand between and nowhere else") {
  std::string out;
  JsonWriter json(out);
  json.begin_object().end_object();
  CHECK(out == "{}");
  json.begin_array().end_array();  // a second value at the top is separated too
  CHECK(out == "{},[]");

  out.clear();
  JsonWriter nested(out);
  nested.begin_object().field("a", "x").field("b", 1.5F).field("c", std::size_t{2});
  nested.key("d").begin_array().number(0.5).null().begin_array().end_array();
  nested.begin_object().key("e").null().end_object().raw("7").end_array();
  nested.field("f", std::string("y")).key("g").begin_object().end_object().end_object();
  CHECK(out == R"({"a":"x","b":1.5,"c":2,"d":[0.5,null,[],{"e":null},7],"f":"y","g":{}})");
  CHECK(nlohmann::json::accept(out));
}

TEST_CASE("names are escaped as strings are") {
  std::string out;
  JsonWriter(out, true).begin_object().field("a\"é", "x").end_object();
  CHECK(out == R"({"a\"\u00e9":"x"})");
}

TEST_CASE("numbers are rounded to the decimals that are asked for, whole ones are left alone") {
  struct Row {
    double value;
    unsigned decimals;
    std::string json;
  };
  const Row rows[] = {{0.123456, 3, "0.123"},
                      {0.9996, 3, "1"},
                      {0.0004, 3, "0"},
                      {-0.0004, 3, "0"},
                      {0.1F, 17, "0.10000000149011612"},
                      {2.5, 0, "2"},
                      {3.5, 0, "4"},
                      {-1.26, 1, "-1.3"},
                      {1e300, 2, "1e+300"}};
  for (const auto& [value, decimals, json] : rows) {
    std::string out;
    JsonWriter(out, false, decimals).number(value);
    CHECK(out == json);
  }
  std::string out;
  JsonWriter(out, false, 2).begin_array().number(0.126F).number(std::size_t{12345}).end_array();
  CHECK(out == "[0.13,12345]");
}

}  // namespace
}  // namespace headlight::json_writer_test
