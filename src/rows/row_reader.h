// Reads rows from text lines, JSONL or a table.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "rows/byte_source.h"
#include "rows/line_reader.h"
#include "rows/row.h"
#include "rows/row_reading.h"
#include "rows/row_sources.h"
#include "rows/table_columns.h"

namespace headlight {

/// What messages call files that are read as one: "a.csv and 2 more files".
std::string name_of_files(const std::vector<std::string>& paths);

/// Rows that were read of a file.
struct FileMark {
  std::string name;
  std::size_t rows = 0;
  std::string hash;  // of their lines and of the header
};

/// Each line, or record of CSV, becomes a row. If it cannot be read, the row has an error. Several
/// files are one after another, each with its header; the numbers of their rows run on.
class RowReader : public RowSource {
 public:
  /// `name` is the name of the input in errors. The caller owns the descriptor.
  RowReader(int descriptor, std::string name, RowReading reading);
  /// Opens the file, or standard input for "-". Throws Error if it cannot be opened. The ending of
  /// its name tells the compression.
  RowReader(const std::string& path, RowReading reading);
  /// The same for several files, at least one. Throws Error if one that can be read twice cannot be
  /// read, lacks a column, or if rows keep their fields and it has other columns than the first.
  RowReader(std::vector<std::string> paths, RowReading reading);
  ~RowReader() override;
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  /// The next selected row, or nullopt after the last. Waits for it. Throws Error if the input or
  /// its header cannot be read.
  std::optional<Row> next() override;
  bool ready() override;

  /// The format of the rows. Waits for the first line if it must be guessed.
  RowFormat format();

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
  /// From now on, a last line that may still be written is not read: text without a line end, or a
  /// record that cannot be parsed. It gets a note.
  void hold_back_incomplete() { holds_back_ = true; }
  /// Whether no row follows, selected or not. Waits for it.
  bool is_at_end() {
    if (!is_over()) pass_over_no_rows();
    return is_over() || (file_ + 1 >= paths_.size() && lines_->is_at_end()) || holds_back_next();
  }
  /// Whether the next line has grown since its first `bytes` were the end of the input, whose rows
  /// had this mark_of_rows(). Notes it.
  bool next_has_grown(std::size_t bytes, const std::string& mark);
  /// The size of the last line that was read, if the input ends with it without a line end; else 0.
  std::size_t open_line() const { return open_line_; }
  /// Whether the last row that was read was selected.
  bool took_last() const { return number_ > 0 && reading_.selection.takes(number_ - 1); }
  /// How many rows were read, selected or not, and the hash of their lines and of the header.
  std::size_t count() const { return number_; }
  /// How many of them were selected.
  std::size_t selected() const { return selected_; }
  const std::string& name() const { return name_; }
  std::string hash() const { return combined(hash_->text()); }
  /// The files that rows were read of.
  std::vector<FileMark> files() const;
  const std::vector<std::string>& paths() const { return paths_; }
  /// The one of these whose rows a file begins with, rather the one of its name, and whether more
  /// rows follow in the file; nullopt: none.
  std::optional<std::pair<std::size_t, bool>> find_in(const std::string& path,
                                                      const std::vector<FileMark>& scored) const;
  /// From now on, reads the rows of these files; the numbers go on after those of `before`.
  void go_on_with(std::vector<std::string> paths, std::vector<FileMark> before);
  /// Whether no row, selected or not, and no header was found so far.
  bool found_nothing() const { return number_ == 0 && columns().empty(); }
  /// The approximate size in bytes of the files' part that was read as rows.
  std::size_t position() const {
    const bool compressed = reading_.compression != Compression::none;
    return before_ + source_->position() - (compressed ? 0 : lines_->unread());
  }
  /// The same as a share of the files, from 0 to 1; empty for a pipe.
  std::optional<double> share_read() const;
  int descriptor() const { return descriptor_; }
  /// Whether a row has one label, whatever it looks like.
  bool has_single_labels() const { return reading_.label_shape.is_single; }

 private:
  std::size_t rows_of_file() const;
  std::string combined(const std::string& hash) const;
  void open(int descriptor, const std::string& name);
  void open_file(std::size_t file);
  void check_files();
  /// Whether the line is blank, or a second header.
  bool is_no_row(std::string_view line) const;
  void note_no_row(std::string_view line);
  void drop_line();
  void pass_over_no_rows();
  bool row_is_ready();
  LineReader::Status read_line(std::string& line);
  LineReader::Status read_line_of_file(std::string& line);
  /// The lines of the next sentence, each with its end.
  LineReader::Status read_sentence_lines(std::string& lines);
  void read_header();
  bool holds_back_next();
  /// The file that is read; "-" of a descriptor.
  std::string path() const { return paths_.empty() ? "-" : paths_[file_]; }
  /// Whether somebody may write a line and wait for its answer.
  bool is_piped() const { return paths_.empty() || paths_[file_] == "-"; }
  bool is_over() const { return over_ || reading_.selection.ends_before(number_); }
  /// Reads a line and returns its row if it is selected; without its fields if they are not needed.
  std::optional<Row> step(bool needs_fields);
  void parse(LineReader::Status status, std::string line, Row& row);
  void read_fields(std::string& line, Row& row);
  /// Of a line that is not UTF-8, with U+FFFD for each bad byte.
  void read_beside_bad_bytes(const std::string& line, Row& row);
  /// Missing texts become empty ones. Throws TextError if they are errors.
  void fill_missing(Row& row) const;
  void parse_json(const std::string& text, Row& row);
  /// Whether the row is a line of fastText without a label, where one is needed: it is skipped.
  bool lacks_label(const Row& row);
  /// Says how many rows lack a label.
  void note_labels();
  /// Throws Error if no row of JSONL had a field of the text, or none had a label that is needed.
  /// Of standard input, which may be a part of the rows, a text that is not there gets a note.
  void check_fields() const;
  void refuse_without(const std::string& field, const std::string& hint) const;
  void end_file() const;

  std::vector<std::string> paths_;  // empty: a descriptor of the caller
  std::size_t file_ = 0;            // the one that is read
  std::size_t before_ = 0;          // bytes of the files before it
  int descriptor_ = -1;
  bool is_owner_ = false;           // of the descriptor
  std::optional<double> size_ = 0;  // of all files in bytes; empty if one is not a regular file
  RowReading reading_;
  std::optional<ByteSource> source_;
  std::optional<LineReader> lines_;
  std::optional<TableColumns> table_;
  bool header_comes_ = false;
  std::string name_;
  std::optional<GrowingHash> hash_{std::in_place};  // of the file
  std::vector<FileMark> closed_;                    // the files before it that have rows
  std::size_t first_ = 0;                           // number of the first row
  std::vector<std::string> first_fields_;
  std::vector<std::string> json_fields_;  // of the first row that could be parsed
  std::string list_field_;                // of this row, with a list of objects
  std::size_t line_ = 0;                  // where the last line or sentence begins
  std::size_t unlabelled_ = 0;            // lines of fastText without a label, where one is needed
  std::size_t ignored_ = 0;               // rows with Row::has_only_ignored
  std::vector<std::string> no_texts_;     // fields of the text that no row had
  bool has_pair_ = false;                 // a row had the second text, if there is one
  bool labelled_ = false;                 // a row had a label
  std::size_t parsed_ = 0;                // rows
  std::size_t number_ = 0;                // of the next row
  std::size_t selected_ = 0;
  bool over_ = false;
  bool has_ended_ = false;  // and was checked
  bool holds_back_ = false;
  bool repeats_header_ = false;
  std::size_t open_line_ = 0;
};

}  // namespace headlight
