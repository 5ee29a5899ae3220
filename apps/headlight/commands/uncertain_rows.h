// The rows of batch --sort uncertain.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "report/predictions/row_writer.h"
#include "rows/whole_rows.h"

namespace headlight {

/// Keeps the `most` rows with the highest entropy, the highest first, ties in input order, and
/// writes them at the end. Rows with errors are left out.
class UncertainRows : public RowSerializer {
 public:
  /// `writer` must outlive it.
  UncertainRows(RowWriter& writer, const LabelSet& labels, std::size_t most)
      : writer_(writer), labels_(labels), most_(most) {}

  std::string header() const override { return writer_.header(); }
  std::string without_rows(const RowReader& input) override { return writer_.without_rows(input); }
  std::string row(const ScoredRow<Prediction>& scored) {
    if (!scored.result.error.empty()) return "";
    const double entropy = entropy_of(labels_, scored.result.scores);
    rows_.emplace(std::pair(-entropy, scored.row.number), writer_.row(scored));
    if (rows_.size() > most_) rows_.erase(std::prev(rows_.end()));
    return "";
  }
  std::string ending() const override {
    return joined(rows_, "", [](const auto& row) { return row.second; });
  }

 private:
  RowWriter& writer_;
  const LabelSet& labels_;
  std::size_t most_;
  std::map<std::pair<double, std::size_t>, std::string> rows_;  // by -entropy and number
};

/// A sorted output cannot be continued: nothing of it is kept.
class NoRows : public RowFinder {
 public:
  void add(std::string_view /*bytes*/) override {}
  bool is_damaged() const override { return true; }
  WholeRows found() const override { return {}; }
};

}  // namespace headlight
