#include "report/plain_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace headlight {

std::string formatted(const char* format, double value) {
  std::array<char, 400> buffer{};  // the largest float64 with all its digits
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

std::string percent(double fraction) { return formatted("%.1f %%", 100.0 * fraction); }
std::string decimal(double value) { return formatted("%.4f", value); }

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace headlight
