// Translation of the labels of a file to those of the model.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "classifier/prediction.h"

namespace headlight {

/// --label-map
class LabelMap {
 public:
  void add_to(CLI::App& command);
  /// The numbers of the labels that spellings stand for. Throws UsageError for an unknown label.
  std::map<std::string, std::size_t> translations(const LabelSet& labels) const;

 private:
  std::vector<std::string> lists_;
};

}  // namespace headlight
