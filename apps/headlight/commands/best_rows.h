// The best rows of a file, in bounded memory: those of batch --sort uncertain.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "report/predictions/row_writer.h"
#include "rows/whole_rows.h"

namespace headlight {

/// Keeps the `most` rows with the highest number, the highest first, ties in input order.
template <typename Kept>
struct BestRows {
  void add(double number, std::size_t row, Kept kept) {
    rows.emplace(std::pair(-number, row), std::move(kept));
    if (rows.size() > most) rows.erase(std::prev(rows.end()));
  }

  std::size_t most;
  std::map<std::pair<double, std::size_t>, Kept> rows = {};  // by -number and row
};

/// Writes the rows with the highest entropy. Rows with errors are left out.
class UncertainRows : public RowSerializer {
 public:
  /// `writer` must outlive it.
  UncertainRows(RowWriter& writer, const LabelSet& labels, std::size_t most)
      : writer_(writer), labels_(labels), best_{most} {}

  std::string header() const override { return writer_.header(); }
  std::string without_rows(const RowReader& input) override { return writer_.without_rows(input); }
  std::string row(const ScoredRow<Prediction>& scored) {
    if (!scored.result.error.empty()) return "";
    best_.add(entropy_of(labels_, scored.result.scores), scored.row.number, writer_.row(scored));
    return "";
  }
  std::string ending() const override {
    return joined(best_.rows, "", [](const auto& row) { return row.second; });
  }

 private:
  RowWriter& writer_;
  const LabelSet& labels_;
  BestRows<std::string> best_;
};

/// A sorted output cannot be continued: nothing of it is kept.
class NoRows : public RowFinder {
 public:
  void add(std::string_view /*bytes*/) override {}
  bool is_damaged() const override { return true; }
  WholeRows found() const override { return {}; }
};

}  // namespace headlight
