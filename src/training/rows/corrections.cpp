#include "training/rows/corrections.h"

#include <charconv>
#include <utility>

#include "base/error.h"

namespace headlight {

std::string checked_row(std::size_t row, const std::string& mark) {
  return "row " + std::to_string(row) + " of " + mark;
}

Corrections read_corrections(RowReader& checked, const std::string& mark, const std::string& file) {
  constexpr std::size_t kNumberBegins = 4;  // after "row "
  Corrections corrections;
  while (std::optional<Row> row = checked.next()) {
    const std::string& text = row->input.text;
    std::size_t number = 0;
    if (row->error.empty() && text.starts_with("row ")) {
      std::from_chars(text.data() + kNumberBegins, text.data() + text.size(), number);
    }
    if (text != checked_row(number, mark)) {
      throw Error(checked.name() + ": row " + name_of(*row),
                  row->error.empty() ? "other rows were checked: found \"" + text + "\", but " +
                                           file + " has " + mark
                                     : row->error,
                  "--apply needs a file that headlight check wrote of " + file + " as it is");
    }
    if (row->label && !row->label->empty()) corrections[number] = std::move(*row->label);
  }
  return corrections;
}

std::size_t correct_labels(const Corrections& corrections, SpelledRows& rows) {
  std::size_t changed = 0;
  for (SpelledRow& each : rows.rows) {
    const auto found = corrections.find(each.row.number);
    if (found == corrections.end() || found->second == each.label) continue;
    each.label = found->second;
    ++changed;
  }
  return changed;
}

}  // namespace headlight
