#include "report/formats/terminal_colours.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace headlight {
namespace {

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

}  // namespace

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

}  // namespace headlight
