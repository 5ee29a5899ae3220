// What the labels of a file are to the model, and what its labels are called in the output.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "metrics/gold.h"
#include "options/options.h"
#include "training/rows/training_data.h"

namespace headlight {

/// The names in a list with commas, or in a file with a name a line.
std::vector<std::string> names_in_list(const std::string& list_or_file);

/// Spellings, and the labels that they stand for, of values of --label-map: FOUND=LABEL,…, or a
/// file with one a line, or with an object of JSON. Throws UsageError if one is there twice.
MergedLabels mapped_labels(const std::vector<std::string>& lists);
/// --label-map where no model says which labels there are
CLI::Option* add_label_map(CLI::App& command, std::vector<std::string>& lists);

/// --label-map, --label-numbers
class LabelMap {
 public:
  void add_to(CLI::App& command);
  /// Reads labels as the options say, then as the model at `place` merged them; a note says which
  /// position is which label. Throws UsageError for an unknown label.
  GoldReader reader(const LabelSet& labels, const ModelPlace& place, const Console& console) const;
  /// Notes what is translated and is not among the labels of the rows.
  void say_unused(const std::set<std::string>& found, const Console& console) const;

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
