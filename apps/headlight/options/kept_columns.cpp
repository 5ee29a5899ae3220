#include "options/kept_columns.h"

#include <utility>

#include "base/error.h"

namespace headlight {

void KeptColumnRows::take_columns(const Row& first) {
  const std::vector<std::string>& columns = rows_.columns();
  if (writer_.lacks_columns(columns)) {
    throw Error("row " + name_of(first), "cannot be read (" + first.error + ")",
                "--keep takes the column names from this row");
  }
  if (const auto name = writer_.take_columns(columns)) {
    throw UsageError(
        "--keep: column \"" + *name +
        "\" clashes with an output column; use --column-prefix to rename the output columns");
  }
}

std::optional<Row> KeptColumnRows::next() {
  std::optional<Row> row = rows_.next();
  if (!row) return row;
  if (!std::exchange(begun_, true)) take_columns(*row);
  if (!row->error.empty()) return row;
  row->error = writer_.complaint(*row);
  if (!row->error.empty()) row->kept.clear();
  return row;
}

}  // namespace headlight
