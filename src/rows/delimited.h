// CSV (RFC 4180, also with another delimiter than a comma) and TSV, one record at a time.
//
// CSV is read like Python's csv module does: a quote opens a quoted cell only at the beginning of
// the cell, and text after the closing quote belongs to the cell, as does what an escape character
// precedes. TSV has no quotes: a tab, a
// newline, a carriage return and a backslash are written \t, \n, \r, \\.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rows/row_reading.h"

namespace headlight {

/// In those from `quoted` on, no line ends.
enum class CsvState : std::uint8_t {
  cell_start,
  plain,
  quote_seen,
  quoted,
  escaped,
  quoted_escaped
};

/// Finds the end of a CSV record in bytes that arrive in pieces.
class CsvRecordEnd {
 public:
  explicit CsvRecordEnd(CsvDialect dialect = {}) : dialect_(dialect) {}

  /// The position of the LF, or other `line_end`, that ends the record, or npos. `from` is the
  /// position at which the last call stopped: the end of the bytes, or the line end that it found.
  std::size_t find(std::string_view bytes, std::size_t from, char line_end = '\n');
  /// Call it at the beginning of each record.
  void begin() { state_ = CsvState::cell_start; }

 private:
  CsvDialect dialect_;
  CsvState state_ = CsvState::cell_start;
};

/// A cell; nullopt if its text is the table's spelling of null.
using Cell = std::optional<std::string>;

/// The cells of a record without its final newline. Throws TextError if a quoted cell is not
/// closed.
std::vector<Cell> split_csv(std::string_view record, const std::optional<std::string>& null,
                            CsvDialect dialect = {});
/// Whether a quote behind a backslash closes a cell before its end: it was meant as text.
bool has_escaped_quote(std::string_view record, CsvDialect dialect);
std::vector<Cell> split_tsv(std::string_view record, const std::optional<std::string>& null);

/// A cell with quotes (CSV) or escapes (TSV) if needed.
std::string csv_cell(std::string_view text);
std::string tsv_cell(std::string_view text);
/// A line of cells without a final newline; `absent` is written for nullopt.
std::string delimited_line(RowFormat format, const std::vector<Cell>& cells,
                           std::string_view absent = "");

/// The delimiter that a first line such as "sep=;" names, as Excel writes it before the header.
std::optional<char> named_delimiter(std::string_view line);

}  // namespace headlight
