// What the labels of a file are to the model, and what its labels are called in the output.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "metrics/gold.h"
#include "options/options.h"

namespace headlight {

/// --label-map, --label-numbers
class LabelMap {
 public:
  void add_to(CLI::App& command);
  /// Reads labels as the options say, then as the model at `place` merged them; a note says which
  /// position is which label. Throws UsageError for an unknown label.
  GoldReader reader(const LabelSet& labels, const ModelPlace& place, const Console& console) const;

 private:
  /// The numbers of the labels that spellings stand for.
  std::map<std::string, std::size_t> translations(const LabelSet& labels,
                                                  const ModelPlace& place) const;

  const CLI::App* command_ = nullptr;
  std::vector<std::string> lists_;
  bool numbers_ = false;
};

/// --label-map of a command that writes labels
class LabelNames {
 public:
  void add_to(CLI::App& command);
  /// The labels by their names in the output. Throws UsageError for an unknown label, and for a
  /// name that two of them would have.
  LabelSet written(LabelSet labels) const;

 private:
  std::vector<std::string> lists_;
};

}  // namespace headlight
