// Rows that a test has made, and where it looks for what became of them.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "rows/row_sink.h"
#include "rows/row_source.h"

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

class CollectedRows : public RowSink {
 public:
  void write(const ScoredRow& row) override { rows_.push_back(row); }
  void flush() override {}
  const std::vector<ScoredRow>& rows() const { return rows_; }

 private:
  std::vector<ScoredRow> rows_;
};

}  // namespace headlight
