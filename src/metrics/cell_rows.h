// The rows behind each cell of a confusion matrix.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "metrics/gold.h"
#include "rows/row.h"

namespace headlight {

/// A row with one gold label, as a page shows it.
struct SureRow {
  std::string id;
  std::string text;         // the first kLetters bytes, and … if there are more
  double confidence = 0.0;  // the probability of the predicted label, or its logit
};

/// The surest rows of each cell, ties in the order of the file.
class CellRows {
 public:
  static constexpr std::size_t kRows = 20;
  static constexpr std::size_t kLetters = 200;

  /// The prediction must not have an error.
  void add(const LabelSet& labels, const Gold& gold, const Row& row, const Prediction& prediction);
  /// Those of a gold and a predicted label, by name; at most kRows.
  const std::vector<SureRow>& at(const std::string& gold, const std::string& predicted) const;

 private:
  std::map<std::pair<std::string, std::string>, std::vector<SureRow>> cells_;
};

}  // namespace headlight
