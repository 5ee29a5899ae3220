// The wrongly predicted rows, for evaluate --errors.
#pragma once

#include <string>

#include "base/sorted_lines.h"
#include "metrics/gold.h"
#include "options/options.h"

namespace headlight {

class WrongRows {
 public:
  /// Throws Error if the file exists and may not be replaced.
  WrongRows(const std::string& path, const OutputOptions& output)
      : file_(path, output.force()), ascii_(output.ascii()) {}

  /// Adds the row if its prediction is wrong.
  void add(const LabelSet& labels, const Gold& gold, const Row& row, const Prediction& prediction);
  /// Writes all rows: the most confident first, ties in input order.
  void finish();

 private:
  OutputFile file_;
  bool ascii_;
  SortedLines rows_;  // by how wrong each is
};

}  // namespace headlight
