// All measures on parts of a file: the rows with the same value of a field, or of similar length.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metrics/evaluation.h"
#include "rows/row.h"

namespace headlight {

/// Instead of a field: rows are divided by their number of tokens.
inline constexpr const char* kByLength = "length";

struct Slice {
  std::optional<std::string> value;  // empty: the field is missing or null
  Evaluation evaluation;
};

struct Slices {
  std::string by;  // a field, or kByLength
  /// The worst first: by accuracy, with any number of labels by subset accuracy, with values by
  /// mean squared error. Of equal ones, the larger first. Slices without measured rows are last.
  std::vector<Slice> slices;
};

/// Divides rows into slices. Rows that cannot be read are in none. By length, slices are 1–8,
/// 9–16, 17–32 … tokens, and rows with errors are in none.
class SliceEvaluator {
 public:
  static constexpr std::size_t kMostSlices = 1000;

  /// Rows must have all their fields (Row::kept), unless slices are by length.
  SliceEvaluator(LabelSet labels, std::string by)
      : labels_(std::move(labels)), by_(std::move(by)) {}

  /// Throws Error if there are more than kMostSlices values.
  void add(const Row& row, const Gold& gold, const Prediction& prediction);
  /// Counts a row that cannot be measured.
  void add_error(const Row& row);

  /// Throws Error if rows were added and none has the field. `file` is its name in the message.
  Slices measure(const std::string& file) const;

 private:
  Evaluator& slice(const std::optional<std::string>& value);
  std::optional<std::string> field_of(const Row& row);

  LabelSet labels_;
  std::string by_;
  std::map<std::optional<std::string>, Evaluator> slices_;
  bool found_ = false;  // a row has the field
};

}  // namespace headlight
