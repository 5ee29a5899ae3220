// Colours, PNG, and heat maps made of them.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <zlib.h>

#include "report/formats/colours.h"
#include "report/formats/heat_map.h"
#include "report/formats/svg.h"

namespace headlight::picture_test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

double luma(const Colour& colour) {
  return 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue;
}

TEST_CASE("a scale has ColorBrewer's colours at its stops, and stays at its ends beyond them") {
  struct Row {
    double value;
    bool diverging;
    std::string colour;
  };
  const Row rows[] = {{0, false, "#f7fbff"}, {2, false, "#08306b"},    {-1, false, "#f7fbff"},
                      {9, false, "#08306b"}, {0, true, "#b2182b"},     {2, true, "#2166ac"},
                      {-5, true, "#b2182b"}, {1.0039, true, "#f6f7f7"}};
  for (const Row& row : rows) {
    CAPTURE(row.value);
    CHECK((ColourScale{0.0, 2.0, row.diverging}.of(row.value).hex()) == row.colour);
  }
  CHECK(ColourScale{1.0, 1.0}.step(7.0) == 0);
  CHECK(ColourScale{0.0, 1.0}.step(0.5) == 128);
  CHECK(ColourScale{-1.0, 1.0}.step(-0.5) == 64);
}

TEST_CASE(
    "the scale grows darker step by step, so that a black and white printer keeps its order") {
  const ColourScale scale;
  for (unsigned step = 1; step < 256; ++step) {
    CAPTURE(step);
    CHECK(luma(scale.at(static_cast<std::uint8_t>(step))) <=
          luma(scale.at(static_cast<std::uint8_t>(step - 1))) + 0.5);
  }
  CHECK_FALSE(scale.at(0).is_dark());
  CHECK(scale.at(255).is_dark());
}

/// WCAG 2.2, "contrast ratio".
double contrast(const Colour& one, const Colour& other) {
  const auto [dark, light] = std::minmax({one.luminance(), other.luminance()});
  return (light + 0.05) / (dark + 0.05);
}

TEST_CASE("digits in a cell have a contrast of at least 4.5 on every colour, light and dark") {
  CHECK(contrast({0, 0, 0}, {255, 255, 255}) == doctest::Approx(21.0));
  CHECK(contrast({118, 118, 118}, {255, 255, 255}) == doctest::Approx(4.54).epsilon(0.01));
  const ColourScale scales[] = {{}, {-1.0, 1.0, true}, {-1.0, 1.0, true, true}};
  for (const ColourScale& scale : scales) {
    for (unsigned number = 0; number < 256; ++number) {
      const auto step = static_cast<std::uint8_t>(number);
      for (const Colour& cell : {scale.at(step), scale.on(ground_of(kDarkPage), step)}) {
        CAPTURE(cell.hex());
        CHECK(contrast(cell, cell.is_dark() ? Colour{255, 255, 255} : Colour{0, 0, 0}) >= 4.5);
      }
    }
  }
}

TEST_CASE("a map has the titles of its axes, and numbers that fit their cells") {
  HeatMap map;
  map.row_title = "query";
  map.column_title = "key";
  map.width = 2;
  map.values = {0.25F, -32.17F};
  map.scale = {-40.0, 40.0, true};
  map.cell = 30.0;
  map.numbers = true;
  const std::string svg = draw(map).content;
  CHECK(has(svg, ">query</text>"));
  CHECK(has(svg, ">key</text>"));
  CHECK(has(svg, "font-size=\"11.4\""));  // 4 letters
  CHECK(has(svg, "font-size=\"8.0\""));   // 6 letters
}

TEST_CASE("in a terminal a scale runs evenly from the background, which stays as it is") {
  const ColourScale weights;
  const ColourScale effects{-1.0, 1.0, true};
  for (const bool truecolour : {false, true}) {
    for (const Colour background : {Colour{0, 0, 0}, Colour{30, 30, 46}, Colour{255, 255, 255}}) {
      const TerminalColours terminal{truecolour, background};
      CHECK(painted("x", weights, 0.0, terminal) == "x");
      CHECK(painted("x", effects, 0.0, terminal) == "x");
      CHECK(painted("x", effects, 1.0, terminal) == painted("x", weights, 1.0, terminal));
      CHECK(painted("x", effects, -1.0, terminal) != painted("x", effects, 1.0, terminal));
      std::set<std::string> different;
      for (int i = 0; i <= 255; ++i) different.insert(painted("x", weights, i / 255.0, terminal));
      CHECK(different.size() >= (truecolour ? 150 : 7));
    }
  }
  struct Row {
    double value;
    TerminalColours terminal;
    const char* painted;
  };
  const Row rows[] = {{1.0, {true, {0, 0, 0}}, "\x1b[48;2;90;175;255;38;5;16mx\x1b[0m"},
                      {-1.0, {true, {0, 0, 0}}, "\x1b[48;2;255;120;90;38;5;16mx\x1b[0m"},
                      {1.0, {true, {255, 255, 255}}, "\x1b[48;2;0;64;176;38;5;231mx\x1b[0m"},
                      {1.0, {false, {0, 0, 0}}, "\x1b[48;5;153;38;5;16mx\x1b[0m"},
                      {1.0, {false, {255, 255, 255}}, "\x1b[48;5;18;38;5;231mx\x1b[0m"},
                      {-1.0, {false, {255, 255, 255}}, "\x1b[48;5;88;38;5;231mx\x1b[0m"}};
  for (const auto& [value, terminal, expected] : rows) {
    CHECK(painted("x", effects, value, terminal) == expected);
  }
}

TEST_CASE("a PNG has its size, its palette and its points, each with its checksum") {
  const std::vector<Colour> palette = {{1, 2, 3}, {4, 5, 6}};
  const std::vector<std::uint8_t> points = {0, 1, 1, 0, 0, 1};
  const std::string png = encode_png(3, points, palette);
  CHECK(png.substr(0, 8) == "\x89PNG\r\n\x1a\n");
  std::string names;
  std::string data;
  for (std::size_t at = 8; at < png.size();) {
    const auto number = [&](std::size_t from) {
      std::size_t value = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        value = value << 8U | static_cast<unsigned char>(png[from + i]);
      }
      return value;
    };
    const std::size_t size = number(at);
    const std::string name = png.substr(at + 4, 4);
    const std::string chunk = png.substr(at + 8, size);
    const std::string checked = name + chunk;
    CHECK(number(at + 8 + size) == crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                         static_cast<uInt>(checked.size())));
    names += name;
    if (name == "IHDR") CHECK(chunk == std::string("\0\0\0\3\0\0\0\2\x08\x03\0\0\0", 13));
    if (name == "PLTE") CHECK(chunk == "\1\2\3\4\5\6");
    if (name == "IDAT") data = chunk;
    at += 12 + size;
  }
  CHECK(names == "IHDRPLTEIDATIEND");
  std::array<Bytef, 8> lines{};
  uLongf length = lines.size();
  REQUIRE(uncompress(lines.data(), &length, reinterpret_cast<const Bytef*>(data.data()),
                     data.size()) == Z_OK);
  CHECK(lines == std::array<Bytef, 8>{0, 0, 1, 1, 0, 0, 0, 1});
}

HeatMap two_by_two() {
  HeatMap map;
  map.title = "a <head>";
  map.rows = {"x&", "y"};
  map.columns = {"[CLS]", "\x1b"};
  map.width = 2;
  map.values = {0.0F, 0.5F, 1.0F, 0.25F};
  map.cell = 10;
  return map;
}

TEST_CASE("each cell is a box of its value's colour that says what it stands for") {
  HeatMap map = two_by_two();
  const Drawing drawing = draw(map);
  CHECK(has(drawing.content,
            R"svg(<rect x="10.0" y="0.0" width="10.0" height="10.0" class="two" fill=")svg" +
                ColourScale().of(0.5).hex() + R"svg(" style="--dark:)svg" +
                ColourScale().on(ground_of(kDarkPage), 128).hex() +
                R"svg("><title>x&amp; → \x1b 0.5000</title></rect>)svg"));
  CHECK(
      has(drawing.content,
          R"svg(<rect x="0.0" y="10.0" width="10.0" height="10.0" class="two" fill="#08306b")svg"));
  CHECK(count(drawing.content, "<title>") == 4);
  CHECK(has(drawing.content, "a &lt;head&gt;"));
  CHECK_FALSE(has(drawing.content, "\x1b"));
  CHECK(drawing.left > 0);
  CHECK(drawing.top > 0);
  CHECK_FALSE(has(drawing.content, ">0.50<"));
  map.numbers = true;
  CHECK(has(draw(map).content,
            R"(fill="#ffffff" style="--dark:#000000">1.00</text>)"));  // readable on both
  CHECK(has(draw(map).content, R"(fill="#000000" style="--dark:#ffffff">0.25</text>)"));
}

TEST_CASE("in dark mode a scale runs from the background to light colours") {
  const Ground ground = ground_of(kDarkPage);
  CHECK(ColourScale().on(ground, 0) == kDarkPage);
  CHECK(ColourScale().on(ground, 255) == ground.blue);
  const ColourScale both{-1.0, 1.0, true};
  CHECK(both.on(ground, 0) == ground.red);
  CHECK(both.on(ground, 255) == ground.blue);
  CHECK(luma(both.on(ground, 128)) < luma(kDarkPage) + 2);
  for (const Colour background : {kDarkPage, Colour{0, 43, 54}, Colour{253, 246, 227}}) {
    const double direction = background.is_dark() ? 1.0 : -1.0;
    for (unsigned step = 1; step < 256; ++step) {
      CAPTURE(step);
      const ColourScale scale;
      CHECK(direction * luma(scale.on(ground_of(background), static_cast<std::uint8_t>(step))) >=
            direction * luma(scale.on(ground_of(background), static_cast<std::uint8_t>(step - 1))) -
                0.5);
    }
  }
}

TEST_CASE("a grid has a line at each cell and a heavier one at every eighth") {
  HeatMap map;
  map.width = 16;
  map.values.assign(256, 1.0F);
  map.cell = 10;
  CHECK(count(draw(map).content, "class=\"grid\"") == 0);
  map.grid = true;
  const auto lines = [](const std::string& content, const char* width) {
    const std::size_t at = content.find("stroke-width=\"" + std::string(width));
    REQUIRE(at != std::string::npos);
    const std::string path = content.substr(at, content.find("/>", at) - at);
    return std::pair(count(path, "V160.0"), count(path, "H160.0"));
  };
  CHECK(lines(draw(map).content, "0.5") == std::pair<std::size_t, std::size_t>(17, 17));
  CHECK(lines(draw(map).content, "1.5") == std::pair<std::size_t, std::size_t>(3, 3));
  map.cell = 2;
  CHECK(count(draw(map).content, "class=\"grid\"") == 1);
}

TEST_CASE("without names, title and scale only the cells are left") {
  HeatMap map = two_by_two();
  map.title.clear();
  map.rows.clear();
  map.columns.clear();
  map.legend = false;
  const Drawing drawing = draw(map);
  CHECK(drawing.left == 0.0);
  CHECK(drawing.top == 0.0);
  CHECK(drawing.width == 20.0);
  CHECK(drawing.height == 20.0);
  CHECK_FALSE(has(drawing.content, "<text"));
}

TEST_CASE("many cells are one image, unless numbers stand in them") {
  HeatMap map = two_by_two();
  map.most_boxes = 3;
  const std::string content = draw(map).content;
  CHECK(count(content, "<image ") == 2);  // for light and dark mode
  CHECK(content.find("class=\"light\"") > content.find("class=\"dark\""));
  CHECK(count(content, "<title>") == 0);
  CHECK(has(content, R"(width="20.0" height="20.0")"));
  map.numbers = true;
  CHECK(count(draw(map).content, "<image ") == 0);
}

}  // namespace
}  // namespace headlight::picture_test
