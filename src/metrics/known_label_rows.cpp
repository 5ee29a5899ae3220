#include "metrics/known_label_rows.h"

#include "base/error.h"
#include "base/interrupt.h"

namespace headlight {

/// While no label is known, reads on: a file whose labels are all unknown is refused before
/// anything is computed.
std::optional<Row> KnownLabelRows::next() {
  if (has_ahead_) {
    if (auto row = ahead_.next()) return row;
    has_ahead_ = false;
  }
  std::optional<Row> row = read();
  while (row && census_.all_unknown()) {
    has_ahead_ = true;
    ahead_.add(std::move(*row));
    row = read();
  }
  if (!has_ahead_) return row;
  if (row) ahead_.add(std::move(*row));
  return ahead_.next();
}

std::optional<Row> KnownLabelRows::read() {
  std::optional<Row> row = rows_.next();
  if (!row) {
    if (census_.all_unknown() && !stop_requested()) refuse();
    return row;
  }
  if (!row->error.empty()) return row;
  try {
    if (row->label) census_.add(*row->label);
    gold_.read(row->label);
  } catch (const TextError& error) {
    row->error = error.line();
  }
  if (census_.differs()) refuse();
  return row;
}

void KnownLabelRows::refuse() {
  constexpr std::size_t kMostRows = 100'000;
  for (std::size_t read = 0; read < kMostRows && !census_.has_many(); ++read) {
    const std::optional<Row> row = rows_.next();
    if (!row) break;
    if (row->error.empty() && row->label) census_.add(*row->label);
  }
  throw Error(name_, census_.complaint(), census_.remedy());
}

}  // namespace headlight
