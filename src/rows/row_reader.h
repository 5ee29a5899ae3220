// Rows from text lines, JSONL or a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rows/byte_source.h"
#include "rows/line_reader.h"
#include "rows/row.h"
#include "rows/row_reading.h"
#include "rows/row_source.h"
#include "rows/table_columns.h"

namespace headlight {

/// Every line, or record of CSV, gives a row; one that cannot be read gives a row with an error.
class RowReader : public RowSource {
 public:
  /// `name` is what errors call the input. The descriptor stays the caller's.
  RowReader(int descriptor, std::string name, RowReading reading);

  /// The next row that is selected, or nothing after the last. Waits for it. Throws Error where the
  /// input or its header cannot be read.
  std::optional<Row> next() override;
  bool ready() override;

  /// The names of the columns of a table, or with `keep` of the fields of the first row; known once
  /// next() was called.
  const std::vector<std::string>& columns() const;
  /// Neither a row, selected or not, nor a header so far.
  bool found_nothing() const { return number_ == 0 && columns().empty(); }
  /// About how many bytes of the file the rows so far took.
  std::size_t position() const {
    const bool compressed = reading_.compression != Compression::none;
    return source_.position() - (compressed ? 0 : lines_.unread());
  }

 private:
  void read_header();
  bool is_over() const { return over_ || reading_.selection.ends_before(number_); }
  /// Reads a line, and gives its row where it is selected.
  std::optional<Row> step();
  void parse(LineReader::Status status, std::string line, Row& row);

  RowReading reading_;
  ByteSource source_;
  LineReader lines_;
  std::optional<TableColumns> table_;
  bool header_comes_;
  std::vector<std::string> first_fields_;
  std::size_t number_ = 0;  // of the next row
  bool over_ = false;
};

}  // namespace headlight
