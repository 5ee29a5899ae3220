// Reads rows from text lines, JSONL or a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "rows/byte_source.h"
#include "rows/line_reader.h"
#include "rows/row.h"
#include "rows/row_reading.h"
#include "rows/row_sources.h"
#include "rows/table_columns.h"

namespace headlight {

/// Each line, or record of CSV, becomes a row. If it cannot be read, the row has an error.
class RowReader : public RowSource {
 public:
  /// `name` is the name of the input in errors. The caller owns the descriptor.
  RowReader(int descriptor, std::string name, RowReading reading);
  /// Opens the file, or standard input for "-". Throws Error if it cannot be opened.
  RowReader(const std::string& path, RowReading reading);
  ~RowReader() override;
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  /// The next selected row, or nullopt after the last. Waits for it. Throws Error if the input or
  /// its header cannot be read.
  std::optional<Row> next() override;
  bool ready() override;

  /// Reads the rest of the input. Returns the number of all rows, selected or not; fewer after a
  /// signal.
  std::size_t count_rows();

  /// The column names of a table, or with `keep` the field names of the first row. Available after
  /// the first call of next().
  const std::vector<std::string>& columns() const;
  /// Reads rows without their fields until there are `rows` of them, or to the end.
  void pass_over(std::size_t rows);
  /// The same for the next `rows` selected ones. Returns their number; fewer at the end or after a
  /// stop.
  std::size_t pass_over_selected(std::size_t rows);
  /// Whether no row follows, selected or not. Waits for it.
  bool is_at_end() { return is_over() || lines_.is_at_end(); }
  /// How many rows were read, selected or not, and the hash of their lines and of the header.
  std::size_t count() const { return number_; }
  /// How many of them were selected.
  std::size_t selected() const { return selected_; }
  const std::string& name() const { return name_; }
  std::string hash() const { return hash_.text(); }
  /// Whether no row, selected or not, and no header was found so far.
  bool found_nothing() const { return number_ == 0 && columns().empty(); }
  /// The approximate size in bytes of the file's part that was read as rows.
  std::size_t position() const {
    const bool compressed = reading_.compression != Compression::none;
    return source_.position() - (compressed ? 0 : lines_.unread());
  }
  /// The same as a share of the file, from 0 to 1; empty for a pipe.
  std::optional<double> share_read() const;
  int descriptor() const { return descriptor_; }

 private:
  LineReader::Status read_line(std::string& line);
  void read_header();
  bool is_over() const { return over_ || reading_.selection.ends_before(number_); }
  /// Reads a line and returns its row if it is selected; without its fields if they are not needed.
  std::optional<Row> step(bool needs_fields);
  void parse(LineReader::Status status, std::string line, Row& row);
  void parse_json(const std::string& text, Row& row);
  /// Throws Error if a label is needed and no row of JSONL had one.
  void check_labels() const;

  int descriptor_;
  bool is_owner_ = false;       // of the descriptor
  std::optional<double> size_;  // in bytes, at least 1; empty if not a regular file
  RowReading reading_;
  ByteSource source_;
  LineReader lines_;
  std::optional<TableColumns> table_;
  bool header_comes_;
  std::string name_;
  GrowingHash hash_;
  std::vector<std::string> first_fields_;
  std::vector<std::string> json_fields_;  // of the first row that could be parsed
  bool labelled_ = false;                 // a row had a label
  std::size_t number_ = 0;                // of the next row
  std::size_t selected_ = 0;
  bool over_ = false;
};

}  // namespace headlight
