#include "rows/rows_ahead.h"

#include <utility>

namespace headlight {

RowsAhead::RowsAhead(RowSource& rows, std::size_t most) : rows_(rows) {
  while (!ended_ && ahead_.size() < most && (ahead_.empty() || rows_.ready())) read();
}

void RowsAhead::read() {
  try {
    std::optional<Row> row = rows_.next();
    ended_ = !row;
    if (row) ahead_.push_back(std::move(*row));
  } catch (...) {
    failure_ = std::current_exception();
    ended_ = true;
  }
}

std::optional<Row> RowsAhead::next() {
  if (!ahead_.empty()) {
    std::optional<Row> row = std::move(ahead_.front());
    ahead_.pop_front();
    return row;
  }
  if (failure_) std::rethrow_exception(failure_);
  if (ended_) return std::nullopt;
  return rows_.next();
}

bool RowsAhead::ready() { return !ahead_.empty() || ended_ || rows_.ready(); }

}  // namespace headlight
