// Rows that a test has made, and where it looks for what became of them.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "rows/row_sources.h"
#include "rows/scoring.h"

namespace headlight {

/// Gives the rows one after another; from time to time the next is not there yet.
class ListedRows : public RowSource {
 public:
  explicit ListedRows(std::vector<Row> rows) : rows_(std::move(rows)) {}

  std::optional<Row> next() override {
    if (given_ == rows_.size()) return std::nullopt;
    return rows_[given_++];
  }
  bool ready() override { return given_ % 13 != 5; }
  std::size_t given() const { return given_; }

 private:
  std::vector<Row> rows_;
  std::size_t given_ = 0;
};

/// All rows with the results of `score`, as they are written.
template <typename Result>
std::vector<ScoredRow<Result>> collected(const RowPace& pace, RowSource& source,
                                         const ScoreTexts<Result>& score) {
  std::vector<ScoredRow<Result>> rows;
  score_rows<Result>(pace, source, score, {[&](const auto& row) { rows.push_back(row); }});
  return rows;
}

}  // namespace headlight
