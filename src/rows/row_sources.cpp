#include "rows/row_sources.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "rows/row_reader.h"
#include "text/typed_ids.h"

namespace headlight {

RowsAhead::RowsAhead(RowSource& rows, std::size_t most, RowReader* input)
    : rows_(rows), input_(input), passed_(input == nullptr ? 0 : input->selected()) {
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

void RowsAhead::pass_over(std::size_t rows) {
  if (rows < passed_) {
    throw Error("", "the output has a zero byte after " + counted(rows, "row"),
                "run the same command again; it scores all rows after these");
  }
  const std::size_t held = std::min(rows - passed_, ahead_.size());
  ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(held));
  given_ = rows;
  if (passed_ + held == rows) return;
  if (failure_) std::rethrow_exception(failure_);
  const std::size_t before = passed_ + held;
  const std::size_t passed = before + input_->pass_over_selected(rows - before);
  if (passed == rows || stop_requested()) return;
  throw Error("the input",
              "has only " + counted(passed, "row") + ", but " + std::to_string(rows) +
                  " are already scored",
              "--force starts over");
}

std::optional<Row> RowsAhead::next() {
  std::optional<Row> row = take();
  if (!row) return row;
  ++given_;
  if (const auto share = input_ == nullptr ? std::nullopt : input_->share_read()) {
    share_.store(*share / static_cast<double>(given_), std::memory_order_relaxed);
  }
  return row;
}

std::optional<Row> RowsAhead::take() {
  if (!ahead_.empty()) {
    std::optional<Row> row = std::move(ahead_.front());
    ahead_.pop_front();
    return row;
  }
  if (failure_) std::rethrow_exception(failure_);
  if (ended_) return std::nullopt;
  return rows_.next();
}

std::optional<double> RowsAhead::share_of(std::size_t rows) const {
  const double share = share_.load(std::memory_order_relaxed) * static_cast<double>(rows);
  return share > 0.0 ? std::optional(std::min(1.0, share)) : std::nullopt;
}

bool RowsAhead::ready() { return !ahead_.empty() || ended_ || rows_.ready(); }

std::optional<Row> TypedIdRows::next() {
  std::optional<Row> row = rows_.next();
  if (!has_ids_ || !row || !row->error.empty()) return row;
  try {
    row->input.ids = parse_typed_ids(row->input.text, std::nullopt);
  } catch (const TextError& error) {
    row->error = error.line();
  }
  return row;
}

}  // namespace headlight
