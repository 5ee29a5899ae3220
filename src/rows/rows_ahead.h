// Rows of which the first few are read before they are asked for.
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <optional>

#include "rows/row_source.h"

namespace headlight {

class RowsAhead : public RowSource {
 public:
  /// Reads at most `most` rows, as long as they come without waiting; waits for the first. An error
  /// of the input is thrown by next() when its turn comes. `rows` must outlive it.
  RowsAhead(RowSource& rows, std::size_t most);

  /// Whether all rows of the input were read: no more than these few.
  bool holds_all() const { return ended_; }

  std::optional<Row> next() override;
  bool ready() override;

 private:
  void read();

  RowSource& rows_;
  std::deque<Row> ahead_;
  bool ended_ = false;  // the input, or by an error
  std::exception_ptr failure_;
};

}  // namespace headlight
