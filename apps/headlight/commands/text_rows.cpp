#include "commands/text_rows.h"

#include <utility>

#include <unistd.h>

#include "base/error.h"

namespace headlight {
namespace {

/// Converts the row's text to its input. A text that cannot be read sets the row's error.
void read_input(Row& row, const TextOptions& options) {
  try {
    row.input = options.input_of(row.input.text);
  } catch (const TextError& error) {
    row.error = error.line();
  }
}

}  // namespace

std::optional<Row> TypedRows::next() {
  if (given_ == texts_.size()) return std::nullopt;
  Row row;
  row.id.text = std::to_string(given_);
  row.input.text = std::move(texts_[given_++]);
  read_input(row, options_);
  return row;
}

LineRows::LineRows(const TextOptions& options)
    : lines_(STDIN_FILENO, "standard input", RowReading()), options_(options) {}

std::optional<Row> LineRows::next() {
  std::optional<Row> row = lines_.next();
  if (row && row->error.empty()) read_input(*row, options_);
  return row;
}

}  // namespace headlight
