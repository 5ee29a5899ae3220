// Finds the columns of a CSV or TSV table and makes rows from its records.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rows/delimited.h"
#include "rows/row.h"
#include "rows/row_reading.h"

namespace headlight {

class TableColumns {
 public:
  /// `name` is the name of the table in errors.
  TableColumns(RowReading reading, std::string name);

  /// The names of the columns. Without a header: their numbers, known after the first record that
  /// can be read.
  const std::vector<std::string>& names() const { return names_; }

  /// Of a CSV, from the header on.
  void split_by(CsvDialect csv) { reading_.csv = csv; }

  /// Throws Error if the header cannot be read or lacks a column.
  void read_header(const std::string& record);
  /// Whether the record has nothing but delimiters and blanks. A blank may be the text of a table
  /// with one column.
  bool is_blank(std::string_view record) const;
  /// Whether the record is the header of several columns.
  bool repeats_header(std::string_view record) const;
  /// Whether the record has its cells, and each quoted one is closed.
  bool is_whole(const std::string& record) const;
  /// Throws TextError if the record cannot be read; `row` then has the parts that could be read.
  /// Throws Error if a table without a header lacks a column, or at a second header with its
  /// columns in another order.
  void read(const std::string& record, Row& row);
  /// Notes words such as NA that may stand for what is missing.
  void note_words() const;

 private:
  std::vector<Cell> cells_of(std::string_view record) const;
  /// One cell for each column: what is surplus, or lacks a name and stands last, may be missing.
  bool fit(std::vector<Cell>& cells) const;
  void refuse_other_header(const std::string& record, const std::vector<Cell>& cells,
                           std::size_t line) const;
  void note_quotes(const std::string& record, const std::vector<Cell>& cells, std::size_t line);
  void find_columns();
  std::optional<std::size_t> find(const std::string& name) const;
  /// Throws Error if there is no such column; `otherwise` is the hint if no other delimiter is
  /// likely.
  std::size_t found(const std::string& name, const std::string& otherwise = "") const;
  /// How to split the columns if another delimiter is likely; empty otherwise.
  std::string delimiter_hint(const std::string& wanted) const;
  void count_word(const Cell& cell);
  void read_id(const std::vector<Cell>& cells, Row& row) const;

  RowReading reading_;
  std::string name_;
  std::vector<std::string> names_;
  std::size_t named_ = 0;  // columns up to the last that has a name
  bool noted_quotes_ = false;
  std::map<std::string, std::size_t> words_;  // such as NA, in cells of texts and labels
  std::size_t counted_cells_ = 0;
  std::string first_record_;  // the header, or the first readable row of a table without one
  std::vector<std::size_t> text_;
  std::optional<std::size_t> pair_;
  std::optional<std::size_t> id_;
  std::vector<std::size_t> label_;
};

}  // namespace headlight
