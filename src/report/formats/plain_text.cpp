#include "report/formats/plain_text.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>

#include "text/unicode/columns.h"

namespace headlight {

std::string percent(double fraction) { return formatted("%.1f %%", 100.0 * fraction); }
std::string percent_range(double low, double high) {
  return formatted("%.1f", 100.0 * low) + "–" + percent(high);
}
std::string decimal(double value) { return formatted("%.4f", value); }

std::string fixed(double value, unsigned decimals) {
  return formatted(("%." + std::to_string(decimals) + "f").c_str(), value);
}

std::string grouped(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::size_t width_of(const std::string& text) { return columns_of(to_code_points(text)); }

std::string cut_to(const std::string& text, std::size_t columns) {
  if (width_of(text) <= columns) return text;
  const std::u32string whole = to_code_points(text);
  const std::u32string_view view = whole;
  const std::size_t room = columns - 1;  // beside the …
  std::size_t begin = 0;
  while (columns_of(view.substr(0, begin + 1)) <= room - room / 2) ++begin;
  std::size_t end = whole.size();
  while (columns_of(view.substr(0, begin)) + columns_of(view.substr(end - 1)) <= room) --end;
  while (end < whole.size() && columns_of(view.substr(end, 1)) == 0) ++end;  // combining marks
  return to_utf8(view.substr(0, begin)) + "…" + to_utf8(view.substr(end));
}

std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent) {
  std::string lines;
  std::string line(indent, ' ');
  std::istringstream words(text);
  bool is_first = true;
  for (std::string word; words >> word; is_first = false) {
    if (!is_first && width_of(line) + 1 + width_of(word) > columns) {
      lines += line + '\n';
      line = std::string(indent, ' ') + word;
    } else {
      line += (is_first ? "" : " ") + word;
    }
  }
  return lines + line + '\n';
}

std::string bold(const std::string& text, bool color) {
  return color ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string shown_name(const std::string& name) {
  constexpr std::size_t kWidest = 24;
  return cut_to(printable(name), kWidest);
}

std::vector<std::string> shown_names(const std::vector<std::string>& names, std::size_t columns) {
  constexpr std::size_t kStep = 8;
  const std::set<std::string> different(names.begin(), names.end());
  std::size_t widest = columns;
  for (const auto& name : different) widest = std::max(widest, width_of(printable(name)));
  std::vector<std::string> shown;
  for (;; columns += kStep) {
    shown.clear();
    for (const auto& name : names) shown.push_back(cut_to(printable(name), columns));
    if (columns >= widest) return shown;
    if (std::set<std::string>(shown.begin(), shown.end()).size() == different.size()) return shown;
  }
}

std::string begin_in(const std::string& text, std::size_t columns) {
  return text + std::string(columns - std::min(columns, width_of(text)), ' ');
}

std::string end_in(const std::string& text, std::size_t columns) {
  return std::string(columns - std::min(columns, width_of(text)), ' ') + text;
}

std::string facts_text(const Facts& facts, std::size_t columns) {
  std::string text;
  for (const auto& [name, what] : facts) text += begin_in(name, columns) + what + '\n';
  return text;
}

}  // namespace headlight
