// What gives rows one after another.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <optional>

#include "rows/row.h"

namespace headlight {

class RowReader;

class RowSource {
 public:
  virtual ~RowSource() = default;

  /// The next row, or nullopt after the last. Waits for it. Throws Error if the input cannot be
  /// read.
  virtual std::optional<Row> next() = 0;
  /// Whether next() would return without waiting.
  virtual bool ready() = 0;
};

/// Reads the first few rows in advance, and estimates the size of the others.
class RowsAhead : public RowSource {
 public:
  /// Reads at most `most` rows: waits for the first, and stops when it would have to wait for
  /// another. next() throws an error of the input after the rows before it. `rows`, and `input`
  /// which they come from if it is a file, must outlive it.
  RowsAhead(RowSource& rows, std::size_t most, RowReader* input = nullptr);

  /// Whether the rows read in advance are all rows of the input.
  bool holds_all() const { return ended_; }

  /// Passes over the first `rows` selected ones of the file, which an earlier run scored. Returns
  /// early after a stop. Throws Error if there are fewer.
  void pass_over(std::size_t rows);

  std::optional<Row> next() override;
  bool ready() override;

  /// The share of the file that so many rows have, by the mean size of those that next() gave;
  /// empty if the size is not known. May be called on another thread than next().
  std::optional<double> share_of(std::size_t rows) const;

 private:
  void read();
  std::optional<Row> take();

  RowSource& rows_;
  RowReader* input_;
  std::size_t passed_;  // selected rows before the first
  std::deque<Row> ahead_;
  bool ended_ = false;  // at the end of the input or after an error
  std::exception_ptr failure_;
  std::size_t given_ = 0;          // rows, which may be more than are scored
  std::atomic<double> share_ = 0;  // mean share of the file per row; 0: not known
};

/// With `has_ids`, reads the text of each row as token ids (text/typed_ids.h). If they are invalid,
/// the row gets an error. Rows that already have an error keep it.
class TypedIdRows : public RowSource {
 public:
  /// `rows` must outlive it.
  TypedIdRows(RowSource& rows, bool has_ids) : rows_(rows), has_ids_(has_ids) {}

  std::optional<Row> next() override;
  bool ready() override { return rows_.ready(); }

 private:
  RowSource& rows_;
  bool has_ids_;
};

}  // namespace headlight
