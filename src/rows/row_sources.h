// What gives rows one after another.
#pragma once

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

/// Reads the first few rows in advance.
class RowsAhead : public RowSource {
 public:
  /// Reads at most `most` rows: waits for the first, and stops when it would have to wait for
  /// another. next() throws an error of the input after the rows before it. `rows` must outlive it.
  RowsAhead(RowSource& rows, std::size_t most);

  /// Whether the rows read in advance are all rows of the input.
  bool holds_all() const { return ended_; }

  /// Passes over the next `rows`, which an earlier run scored. Those that are not read yet are
  /// passed over by `reader`, which they come from. Returns early after a stop. Throws Error if
  /// there are fewer.
  void pass_over(std::size_t rows, RowReader& reader);

  std::optional<Row> next() override;
  bool ready() override;

 private:
  void read();

  RowSource& rows_;
  std::deque<Row> ahead_;
  bool ended_ = false;  // at the end of the input or after an error
  std::exception_ptr failure_;
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
