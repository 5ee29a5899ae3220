// The wrongly predicted rows, for evaluate --errors.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "metrics/gold.h"
#include "options.h"

namespace headlight {

class WrongRows {
 public:
  /// Throws Error if the file exists and may not be replaced.
  WrongRows(const std::string& path, const OutputOptions& output)
      : file_(path, output.force()), ascii_(output.ascii()) {}

  /// Adds the row if its prediction is wrong.
  void add(const LabelSet& labels, const Gold& gold, const ScoredRow& scored);
  /// Writes all rows: the most confident first, ties in input order.
  void finish();

 private:
  OutputFile file_;
  bool ascii_;
  std::vector<std::pair<double, std::string>> rows_;  // how wrong each is, and its line
};

}  // namespace headlight
