// The rows that were given a wrong verdict, for evaluate --errors.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "metrics/gold.h"
#include "options.h"

namespace headlight {

class WrongRows {
 public:
  /// Throws Error if the file exists and is to be kept.
  WrongRows(const std::string& path, const OutputOptions& output)
      : file_(path, output.force()), ascii_(output.ascii()) {}

  /// Takes the row if its verdict is wrong.
  void add(const LabelSet& labels, const Gold& gold, const ScoredRow& scored);
  /// Writes them all: the surest first, those alike in the order of the file.
  void finish();

 private:
  OutputFile file_;
  bool ascii_;
  std::vector<std::pair<double, std::string>> rows_;  // how wrong each is, and its line
};

}  // namespace headlight
