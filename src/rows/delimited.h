// CSV (RFC 4180) and TSV, a record at a time.
//
// CSV is read as Python's csv reads it: a quote opens a quoted cell only where the cell begins, and
// what follows a closing quote belongs to the cell. In TSV nothing is quoted: a tab, a newline, a
// carriage return and a backslash are written \t, \n, \r, \\.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rows/row_reading.h"

namespace headlight {

enum class CsvState : std::uint8_t { cell_start, plain, quoted, quote_seen };

/// Finds where a CSV record ends, in bytes that arrive in pieces.
class CsvRecordEnd {
 public:
  /// The place of the LF that ends the record, or npos. `from` is where the last call stopped
  /// looking: at the end of the bytes, or at the LF it found.
  std::size_t find(std::string_view bytes, std::size_t from);
  /// To be called where a record begins.
  void begin() { state_ = CsvState::cell_start; }

 private:
  CsvState state_ = CsvState::cell_start;
};

/// A cell; nothing where it is spelled as the null of its table.
using Cell = std::optional<std::string>;

/// The cells of a record without the newline at its end. Throws TextError where a quoted cell is
/// not closed.
std::vector<Cell> split_csv(std::string_view record, const std::optional<std::string>& null);
std::vector<Cell> split_tsv(std::string_view record, const std::optional<std::string>& null);

/// Cells as they are written.
std::string csv_cell(std::string_view text);
std::string tsv_cell(std::string_view text);
/// A line of them without the newline at its end; `absent` stands for a cell that is not there.
std::string delimited_line(RowFormat format, const std::vector<Cell>& cells,
                           std::string_view absent = "");

}  // namespace headlight
