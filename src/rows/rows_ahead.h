// Reads the first few rows in advance.
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <optional>

#include "rows/row_source.h"

namespace headlight {

class RowsAhead : public RowSource {
 public:
  /// Reads at most `most` rows: waits for the first, and stops when it would have to wait for
  /// another. next() throws an error of the input after the rows before it. `rows` must outlive it.
  RowsAhead(RowSource& rows, std::size_t most);

  /// Whether the rows read in advance are all rows of the input.
  bool holds_all() const { return ended_; }

  std::optional<Row> next() override;
  bool ready() override;

 private:
  void read();

  RowSource& rows_;
  std::deque<Row> ahead_;
  bool ended_ = false;  // at the end of the input or after an error
  std::exception_ptr failure_;
};

}  // namespace headlight
