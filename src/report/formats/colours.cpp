#include "report/formats/colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>

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
constexpr double kSteps = 255.0;

std::uint8_t between(std::uint8_t from, std::uint8_t to, double fraction) {
  return static_cast<std::uint8_t>(std::lround(from + (to - from) * fraction));
}

Colour mixed(const Colour& from, const Colour& to, double fraction) {
  return {between(from.red, to.red, fraction), between(from.green, to.green, fraction),
          between(from.blue, to.blue, fraction)};
}

}  // namespace

Ground ground_of(const Colour& background) {
  return background.is_dark() ? Ground{background, {90, 175, 255}, {255, 120, 90}}
                              : Ground{background, {0, 64, 176}, {170, 10, 20}};
}

bool Colour::is_dark() const {
  constexpr double kMiddle = 140.0;  // of the luma of ITU-R BT.601
  return 0.299 * red + 0.587 * green + 0.114 * blue < kMiddle;
}

std::string Colour::hex() const {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", red, green, blue);
  return text.data();
}

std::uint8_t ColourScale::step(double value) const {
  const double range = high - low;
  const double fraction = range > 0.0 ? (value - low) / range : 0.0;
  return static_cast<std::uint8_t>(std::lround(kSteps * std::clamp(fraction, 0.0, 1.0)));
}

Colour ColourScale::at(std::uint8_t step) const {
  const std::span<const Colour> stops = diverging ? kRedBlue : kBlues;
  const double place = step / kSteps * static_cast<double>(stops.size() - 1);
  const std::size_t before = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double fraction = place - static_cast<double>(before);
  return mixed(stops[before], stops[before + 1], fraction);
}

Colour ColourScale::on(const Ground& ground, std::uint8_t step) const {
  const double share = diverging ? 2.0 * step / kSteps - 1.0 : step / kSteps;
  return mixed(ground.background, share < 0.0 ? ground.red : ground.blue, std::abs(share));
}

}  // namespace headlight
