#include "report/formats/colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <new>
#include <span>
#include <string_view>

#include <zlib.h>

namespace headlight {
namespace {

constexpr std::array<Colour, 9> kBlues = {{{247, 251, 255},
                                           {222, 235, 247},
                                           {198, 219, 239},
                                           {158, 202, 225},
                                           {107, 174, 214},
                                           {66, 146, 198},
                                           {33, 113, 181},
                                           {8, 81, 156},
                                           {8, 48, 107}}};
constexpr std::array<Colour, 9> kRedBlue = {{{178, 24, 43},
                                             {214, 96, 77},
                                             {244, 165, 130},
                                             {253, 219, 199},
                                             {247, 247, 247},
                                             {209, 229, 240},
                                             {146, 197, 222},
                                             {67, 147, 195},
                                             {33, 102, 172}}};
constexpr std::array<Colour, 9> kOrangeBlue = {{{179, 88, 6},
                                                {224, 130, 20},
                                                {253, 184, 99},
                                                {254, 224, 182},
                                                {247, 247, 247},
                                                {209, 229, 240},
                                                {146, 197, 222},
                                                {67, 147, 195},
                                                {33, 102, 172}}};
constexpr Colour kOrange{240, 140, 50};  // on a dark page
constexpr double kScaleSteps = 255.0;

std::uint8_t between(std::uint8_t from, std::uint8_t to, double fraction) {
  return static_cast<std::uint8_t>(std::lround(from + (to - from) * fraction));
}

Colour mixed(const Colour& from, const Colour& to, double fraction) {
  return {between(from.red, to.red, fraction), between(from.green, to.green, fraction),
          between(from.blue, to.blue, fraction)};
}

// Numbers of xterm's colours, from weak to strong.
constexpr std::array<std::uint8_t, 8> kBlueOnDark = {17, 18, 25, 32, 39, 75, 117, 153};
constexpr std::array<std::uint8_t, 6> kBlueOnLight = {189, 153, 111, 69, 26, 18};
constexpr std::array<std::uint8_t, 7> kRedOnDark = {52, 88, 124, 167, 203, 210, 217};
constexpr std::array<std::uint8_t, 7> kRedOnLight = {224, 217, 210, 203, 160, 124, 88};

std::span<const std::uint8_t> ramp(bool on_dark, bool red) {
  if (red) return on_dark ? std::span<const std::uint8_t>(kRedOnDark) : kRedOnLight;
  return on_dark ? std::span<const std::uint8_t>(kBlueOnDark) : kBlueOnLight;
}

/// The colour of a number from 16 to 231: the 6 × 6 × 6 cube.
Colour cube_colour(unsigned number) {
  constexpr std::array<std::uint8_t, 6> kLevels = {0, 95, 135, 175, 215, 255};
  const unsigned place = number - 16;
  return {kLevels.at(place / 36), kLevels.at(place / 6 % 6), kLevels.at(place % 6)};
}

std::string on(const std::string& background, const Colour& colour, const std::string& text) {
  return "\x1b[48;" + background + (colour.is_dark() ? ";38;5;231m" : ";38;5;16m") + text +
         "\x1b[0m";
}

void append_number(std::string& out, std::size_t number) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    out += static_cast<char>(number >> shift & 0xFFU);
  }
}

void append_chunk(std::string& png, std::string_view type, std::string_view data) {
  append_number(png, data.size());
  const std::size_t start = png.size();
  png += type;
  png += data;
  const std::string_view checked = std::string_view(png).substr(start);
  append_number(png, crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                           static_cast<uInt>(checked.size())));
}

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  if (compress(reinterpret_cast<Bytef*>(out.data()), &size,
               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) != Z_OK) {
    throw std::bad_alloc();
  }
  out.resize(size);
  return out;
}

}  // namespace

Ground ground_of(const Colour& background) {
  return background.is_dark() ? Ground{background, {90, 175, 255}, {255, 120, 90}}
                              : Ground{background, {0, 64, 176}, {170, 10, 20}};
}

double Colour::luminance() const {
  const auto linear = [](std::uint8_t part) {
    const double share = part / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

bool Colour::is_dark() const {
  constexpr double kMiddle = 0.1791;  // white and black have the contrast 4.58 on it
  return luminance() < kMiddle;
}

std::string Colour::hex() const {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", red, green, blue);
  return text.data();
}

std::uint8_t ColourScale::step(double value) const {
  const double range = high - low;
  const double fraction = range > 0.0 ? (value - low) / range : 0.0;
  return static_cast<std::uint8_t>(std::lround(kScaleSteps * std::clamp(fraction, 0.0, 1.0)));
}

Colour ColourScale::at(std::uint8_t step) const {
  const std::span<const Colour> stops = !diverging ? kBlues : orange ? kOrangeBlue : kRedBlue;
  const double place = step / kScaleSteps * static_cast<double>(stops.size() - 1);
  const std::size_t before = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double fraction = place - static_cast<double>(before);
  return mixed(stops[before], stops[before + 1], fraction);
}

Colour ColourScale::on(const Ground& ground, std::uint8_t step) const {
  const double share = diverging ? 2.0 * step / kScaleSteps - 1.0 : step / kScaleSteps;
  const Colour& below = orange ? kOrange : ground.red;
  return mixed(ground.background, share < 0.0 ? below : ground.blue, std::abs(share));
}

std::string painted(const std::string& text, const ColourScale& scale, double value,
                    const TerminalColours& terminal) {
  constexpr double kStrongest = 255.0;
  const std::uint8_t step = scale.step(value);
  const double share = scale.diverging ? 2.0 * step / kStrongest - 1.0 : step / kStrongest;
  if (std::abs(share) < 1.0 / kStrongest) return text;
  if (terminal.truecolour) {
    const Colour colour = scale.on(ground_of(terminal.background), step);
    return on("2;" + std::to_string(colour.red) + ";" + std::to_string(colour.green) + ";" +
                  std::to_string(colour.blue),
              colour, text);
  }
  const auto colours = ramp(terminal.background.is_dark(), share < 0.0);
  const auto place =
      static_cast<std::size_t>(std::lround(std::abs(share) * static_cast<double>(colours.size())));
  if (place == 0) return text;
  const unsigned number = colours[place - 1];
  return on("5;" + std::to_string(number), cube_colour(number), text);
}

std::string encode_png(std::size_t width, std::span<const std::uint8_t> points,
                       std::span<const Colour> colours) {
  // 8 bits a point, a palette, no interlacing.
  constexpr std::string_view kPaletteFormat("\x08\x03\x00\x00\x00", 5);
  std::string header;
  append_number(header, width);
  append_number(header, points.size() / width);
  header += kPaletteFormat;
  std::string palette;
  for (const Colour& colour : colours) {
    for (const std::uint8_t part : {colour.red, colour.green, colour.blue}) {
      palette += static_cast<char>(part);
    }
  }
  std::string lines;  // each begins with its filter: none
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % width == 0) lines += '\0';
    lines += static_cast<char>(points[i]);
  }
  std::string png = "\x89PNG\r\n\x1a\n";
  append_chunk(png, "IHDR", header);
  append_chunk(png, "PLTE", palette);
  append_chunk(png, "IDAT", deflated(lines));
  append_chunk(png, "IEND", "");
  return png;
}

}  // namespace headlight
