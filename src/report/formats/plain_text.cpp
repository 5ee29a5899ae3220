#include "report/formats/plain_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/utf8.h"
#include "text/unicode/columns.h"

namespace headlight {

std::string formatted(const char* format, double value) {
  std::array<char, 400> buffer{};  // the largest float64 with all its digits
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

std::string percent(double fraction) { return formatted("%.1f %%", 100.0 * fraction); }
std::string percent_range(double low, double high) {
  return formatted("%.1f", 100.0 * low) + "–" + percent(high);
}
std::string decimal(double value) { return formatted("%.4f", value); }

std::string fixed(double value, unsigned decimals) {
  return formatted(("%." + std::to_string(decimals) + "f").c_str(), value);
}

std::size_t width_of(const std::string& text) { return columns_of(to_code_points(text)); }

std::string cut_to(const std::string& text, std::size_t columns) {
  if (width_of(text) <= columns) return text;
  const std::u32string whole = to_code_points(text);
  std::size_t end = 0;
  while (columns_of(whole.substr(0, end + 1)) < columns) ++end;
  return to_utf8(whole.substr(0, end)) + "…";
}

std::string bold(const std::string& text, bool color) {
  return color ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string shown_name(const std::string& name) {
  constexpr std::size_t kWidest = 24;
  return printable(shortened(name, kWidest));
}

std::string begin_in(const std::string& text, std::size_t columns) {
  return text + std::string(columns - std::min(columns, width_of(text)), ' ');
}

std::string end_in(const std::string& text, std::size_t columns) {
  return std::string(columns - std::min(columns, width_of(text)), ' ') + text;
}

}  // namespace headlight
