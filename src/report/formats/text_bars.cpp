#include "report/formats/text_bars.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

std::string repeated(const char* piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

struct Halves {
  std::size_t whole;  // columns
  bool half;          // and one half
  std::size_t rest;   // columns that stay empty
};

Halves halves_of(double share, std::size_t width) {
  const double filled = std::clamp(std::abs(share), 0.0, 1.0) * 2.0 * static_cast<double>(width);
  const auto halves = static_cast<std::size_t>(std::lround(filled));
  const std::size_t whole = halves / 2;
  const bool half = halves % 2 == 1;
  return {whole, half, width - whole - (half ? 1 : 0)};
}

}  // namespace

std::string text_bar(double share, std::size_t width) {
  const Halves bar = halves_of(std::max(share, 0.0), width);
  return repeated("█", bar.whole) + (bar.half ? "▌" : "") + std::string(bar.rest, ' ');
}

std::string signed_text_bar(double share, std::size_t width) {
  if (share >= 0.0) return std::string(width, ' ') + "│" + text_bar(share, width);
  const Halves bar = halves_of(share, width);
  return std::string(bar.rest, ' ') + (bar.half ? "▐" : "") + repeated("█", bar.whole) + "│" +
         std::string(width, ' ');
}

}  // namespace headlight
