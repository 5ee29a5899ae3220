#include "metrics/known_label_rows.h"

#include "base/error.h"

namespace headlight {

std::optional<Row> KnownLabelRows::next() {
  std::optional<Row> row = rows_.next();
  if (!row || !row->error.empty()) return row;
  try {
    gold_.read(row->label);
  } catch (const TextError& error) {
    row->error = error.line();
  }
  return row;
}

}  // namespace headlight
