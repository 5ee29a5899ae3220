// Where the last whole row of a file that batch wrote ends, whatever happened to the bytes after
// it: a row cut anywhere, zeros of a power cut, anything else that is no row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rows/delimited.h"
#include "rows/row_reading.h"

namespace headlight {

/// How the rows of the file are written.
struct RowShape {
  RowFormat format = RowFormat::jsonl;  // not text
  bool header = false;                  // a table begins with the names of its columns
  std::optional<std::string> null;      // a table's cell of this spelling is not there
  std::string error = "error";          // the field that tells of an error; a table's last column
};

struct WholeRows {
  std::size_t rows = 0;
  std::size_t errors = 0;   // of them
  std::uint64_t bytes = 0;  // up to the end of the last one; a header alone is none
};

/// Takes the file in pieces, and memory for one row.
class WholeRowFinder {
 public:
  explicit WholeRowFinder(RowShape shape) : shape_(std::move(shape)) {}

  /// After something that is no row nothing more is looked at.
  void add(std::string_view bytes);
  bool is_damaged() const { return damaged_; }
  const WholeRows& found() const { return found_; }

 private:
  /// The place of the LF that ends the record which pending_ begins with, or npos.
  std::size_t end_of_record();
  bool take_record(std::string_view record);
  bool take_json(std::string_view line);
  bool take_cells(std::string_view record);

  RowShape shape_;
  WholeRows found_;
  std::string pending_;       // of a record that has not ended
  std::size_t searched_ = 0;  // of pending_
  CsvRecordEnd csv_end_;
  std::uint64_t taken_ = 0;  // bytes of all records before pending_
  std::size_t columns_ = 0;  // of a table; 0: its first record comes
  bool damaged_ = false;
};

}  // namespace headlight
