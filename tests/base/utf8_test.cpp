#include "base/utf8.h"

#include <string>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::utf8_test {
namespace {

using namespace std::string_literals;

TEST_CASE("well-formed UTF-8 is decoded at the edges of each row of Unicode's table 3-7") {
  struct Row {
    std::string text;
    char32_t code_point;
  };
  const Row rows[] = {
      {"\0"s, 0x0},
      {"\x7F", 0x7F},
      {"\xC2\x80", 0x80},
      {"\xDF\xBF", 0x7FF},
      {"\xE0\xA0\x80", 0x800},
      {"\xE0\xBF\xBF", 0xFFF},
      {"\xE1\x80\x80", 0x1000},
      {"\xEC\xBF\xBF", 0xCFFF},
      {"\xED\x80\x80", 0xD000},
      {"\xED\x9F\xBF", 0xD7FF},
      {"\xEE\x80\x80", 0xE000},
      {"\xEF\xBF\xBF", 0xFFFF},
      {"\xF0\x90\x80\x80", 0x10000},
      {"\xF0\xBF\xBF\xBF", 0x3FFFF},
      {"\xF1\x80\x80\x80", 0x40000},
      {"\xF3\xBF\xBF\xBF", 0xFFFFF},
      {"\xF4\x80\x80\x80", 0x100000},
      {"\xF4\x8F\xBF\xBF", 0x10FFFF},
  };
  for (const auto& [text, code_point] : rows) {
    CAPTURE(static_cast<std::uint32_t>(code_point));
    const std::string around = "a" + text + "b";
    const auto decoded = decode_utf8(around, 1);
    REQUIRE(decoded);
    CHECK(decoded->code_point == code_point);
    CHECK(decoded->bytes == text.size());
    CHECK_FALSE(find_bad_utf8(around));
    std::string encoded;
    append_utf8(encoded, code_point);
    CHECK(encoded == text);
  }
}

TEST_CASE("a character is decoded alike wherever it stands between others") {
  const std::u32string points = U"\u00E9\u4E2D\U0001F600";
  for (std::size_t before = 0; before < 20; ++before) {
    for (std::size_t after = 0; after < 20; ++after) {
      CAPTURE(before);
      CAPTURE(after);
      const std::u32string text =
          std::u32string(before, U'a') + points + std::u32string(after, U'~');
      CHECK(to_code_points(to_utf8(text)) == text);
      const std::string bad = std::string(before, 'a') + '\xFF' + std::string(after, 'b');
      CHECK(error_of([&] { to_code_points(bad); }) ==
            "not valid UTF-8 at byte " + std::to_string(before));
    }
  }
}

TEST_CASE("ill-formed UTF-8 is refused at its first byte") {
  const std::string rows[] = {
      "\x80",              // a tail without a head
      "\xBF",              //
      "\xC0\x80",          // overlong
      "\xC1\xBF",          //
      "\xC2",              // cut off
      "\xC2\x41",          // a head without its tail
      "\xE0\x80\x80",      // overlong
      "\xE0\x9F\xBF",      //
      "\xE1\x80",          // cut off
      "\xE1\x80\x41",      //
      "\xED\xA0\x80",      // the first surrogate
      "\xED\xBF\xBF",      // the last surrogate
      "\xF0\x80\x80\x80",  // overlong
      "\xF0\x8F\xBF\xBF",  //
      "\xF1\x80\x80",      // cut off
      "\xF4\x90\x80\x80",  // past U+10FFFF
      "\xF5\x80\x80\x80",  //
      "\xFF",
  };
  for (const std::string& bad : rows) {
    CAPTURE(printable(bad));
    CHECK_FALSE(decode_utf8(bad, 0));
    CHECK(find_bad_utf8("é" + bad) == 2);
    CHECK(error_of([&] { to_code_points("é" + bad); }) == "not valid UTF-8 at byte 2");
  }
}

TEST_CASE("code points survive the way there and back") {
  const std::u32string points = U"a\u00E9\u4E2D\U0001F600\U0010FFFF";
  CHECK(to_code_points(to_utf8(points)) == points);
  CHECK(to_code_points("").empty());
}

TEST_CASE("printable text has no power over a terminal") {
  struct Row {
    std::string text;
    std::string expected;
  };
  const Row rows[] = {
      {"plain é 中 😀", "plain é 中 😀"},
      {"a\nb\tc\rd", "a\\nb\\tc\\rd"},
      {"\x1B[31m", "\\x1b[31m"},
      {"\0"s, "\\x00"},
      {"\x7F", "\\x7f"},
      {"\xC2\x85", "\\x85"},                           // U+0085, next line
      {"\xC2\x9B", "\\x9b"},                           // U+009B, a control sequence begins
      {"\xE2\x80\xA8", "\\u2028"},                     // line separator
      {"\xE2\x80\xA9", "\\u2029"},                     // paragraph separator
      {"\xE2\x80\xAE", "\\u202e"},                     // right-to-left override
      {"\xE2\x81\xA6", "\\u2066"},                     // left-to-right isolate
      {"\xD8\x9C", "\\u061c"},                         // Arabic letter mark
      {"\xEF\xBF\xBE\xEF\xBF\xBF", "\\ufffe\\uffff"},  // not in XML, hence not in SVG
      {"\xEF\xBF\xBD", "\uFFFD"},
      {"a\xFF\xE2\x80", "a\\xff\\xe2\\x80"},
  };
  for (const auto& [text, expected] : rows) CHECK(printable(text) == expected);
}

TEST_CASE("items are joined with a text between them, also empty ones") {
  using Strings = std::vector<std::string>;
  CHECK(joined(Strings{}).empty());
  CHECK(joined(Strings{"a"}) == "a");
  CHECK(joined(Strings{"", "a", ""}, "|") == "|a|");
  CHECK(joined(std::vector<int>{1, 2}, " and ", [](int n) { return std::to_string(n); }) ==
        "1 and 2");
  CHECK(listed({"a", "b", "c"}, 2) == "a, b and 1 more");
  CHECK(listed({}, 2).empty());
}

}  // namespace
}  // namespace headlight::utf8_test
