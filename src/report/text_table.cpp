#include "report/text_table.h"

#include <algorithm>

#include "base/utf8.h"
#include "report/plain_text.h"

namespace headlight {

std::string blanks(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, width_of(text)), ' ');
}

std::string shown_name(const std::string& name) {
  constexpr std::size_t kWidest = 24;
  return printable(shortened(name, kWidest));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text = "\n";
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string fill = blanks(row[i], widths[i]);
      line += (i == 0 ? "" : "  ") + (i < left_ ? row[i] + fill : fill + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace headlight
