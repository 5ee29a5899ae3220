#include "rows/typed_id_rows.h"

#include "base/error.h"
#include "text/typed_ids.h"

namespace headlight {

std::optional<Row> TypedIdRows::next() {
  std::optional<Row> row = rows_.next();
  if (!row || !row->error.empty()) return row;
  try {
    row->input.ids = parse_typed_ids(row->input.text, std::nullopt);
  } catch (const TextError& error) {
    row->error = error.line();
  }
  return row;
}

}  // namespace headlight
