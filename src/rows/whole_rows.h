// Finds the end of the last complete row in a file that a run wrote. The bytes after it may be an
// incomplete row, zeros after a power failure, or any other data.
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

/// The format of the rows in the file.
struct RowShape {
  RowFormat format = RowFormat::jsonl;  // not text
  bool header = false;                  // tables only: the first record has the column names
  std::optional<std::string> null;      // tables only: the spelling of a missing value
  /// The field with the error; the last column of a table. In a line without fields, how an error
  /// begins.
  std::string error = "error";
};

struct WholeRows {
  std::size_t rows = 0;
  std::size_t errors = 0;   // rows with an error
  std::uint64_t bytes = 0;  // to the end of the last row; 0 for a header without rows
};

/// Reads a file from its beginning in pieces and needs memory for one row.
class RowFinder {
 public:
  RowFinder() = default;
  RowFinder(const RowFinder&) = delete;
  RowFinder& operator=(const RowFinder&) = delete;
  virtual ~RowFinder() = default;

  virtual void add(std::string_view bytes) = 0;
  /// Whether a piece was not valid; what follows it does not count.
  virtual bool is_damaged() const = 0;
  virtual WholeRows found() const = 0;
  /// What follows so many rows is not valid.
  void keep_at_most(std::size_t rows) { most_ = rows; }

 protected:
  std::size_t most_ = SIZE_MAX;
};

/// Finds rows of JSONL, CSV or TSV, or of the formats of other programs.
class WholeRowFinder : public RowFinder {
 public:
  explicit WholeRowFinder(RowShape shape) : shape_(std::move(shape)) {}

  /// Everything after the first invalid row is ignored.
  void add(std::string_view bytes) override;
  bool is_damaged() const override { return damaged_; }
  WholeRows found() const override { return found_; }

 private:
  /// The position of the LF that ends the first record of pending_, or npos.
  std::size_t end_of_record();
  bool take_record(std::string_view record);
  bool take_json(std::string_view line);
  bool take_line(std::string_view line);
  bool take_cells(std::string_view record);

  RowShape shape_;
  WholeRows found_;
  std::string pending_;       // a record that is not complete
  std::size_t searched_ = 0;  // bytes of pending_
  CsvRecordEnd csv_end_;
  std::uint64_t taken_ = 0;  // bytes of all records before pending_
  std::size_t columns_ = 0;  // of a table; 0 before its first record
  bool damaged_ = false;
};

/// Finds rows in an array of vectors that `embed` wrote: a header, and rows of the same size.
/// A row of NaN is an error. A power failure leaves zeros, so no row ends with the bits of +0.
class VectorRowFinder : public RowFinder {
 public:
  /// A row has `width` numbers of `number_size` bytes, 4 for float32 or 2 for float16.
  VectorRowFinder(std::size_t header_size, std::size_t width, std::size_t number_size)
      : header_size_(header_size), number_size_(number_size), row_size_(width * number_size) {}

  void add(std::string_view bytes) override;
  bool is_damaged() const override { return damaged_; }
  WholeRows found() const override { return found_; }

 private:
  void take_row(std::string_view row);

  std::size_t header_size_;
  std::size_t number_size_;
  std::size_t row_size_;
  std::size_t header_ = 0;  // bytes of the header so far
  std::string pending_;     // a row that is not complete
  WholeRows found_;
  bool damaged_ = false;
};

}  // namespace headlight
