// What the labels of a file are to the model.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "metrics/gold.h"
#include "options/options.h"

namespace headlight {

/// --label-map, --label-numbers
class LabelMap {
 public:
  void add_to(CLI::App& command);
  /// Reads labels as the options say; a note says which position is which label. Throws UsageError
  /// for an unknown label.
  GoldReader reader(const LabelSet& labels, const Console& console) const;

 private:
  /// The numbers of the labels that spellings stand for.
  std::map<std::string, std::size_t> translations(const LabelSet& labels) const;

  const CLI::App* command_ = nullptr;
  std::vector<std::string> lists_;
  bool numbers_ = false;
};

}  // namespace headlight
