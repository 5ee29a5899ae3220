// The words that push each label most over a file of explanations, and how faithful they are.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "rows/row.h"

namespace headlight {

/// Words are compared without punctuation at their ends and in lower case (ASCII).
class ExplanationSummary {
 public:
  /// A row that ExplanationLines wrote, with all its fields kept.
  void add(const Row& row);

  /// Per label a table of the words with the largest sum of effects, then the mean faithfulness of
  /// each method with its 95 % confidence interval.
  std::string text() const;
  /// {"rows", "errors", "words": {label: [{"word", "count", "mean_effect", "total_effect"}, …]},
  /// "faithfulness": [{"method", "rows", "comprehensiveness", "comprehensiveness_interval", …},
  /// …]}. All words are listed, the largest sum first.
  void write(JsonWriter& json) const;

 private:
  struct WordSum {
    std::size_t count = 0;
    std::vector<double> effects;  // sums by label
  };
  using Measure = std::map<std::string, std::vector<double>>;  // values by name
  struct Listed {
    const std::string* word;
    std::size_t count;
    double total;
  };
  std::vector<Listed> by_total(std::size_t label) const;

  std::size_t rows_ = 0;
  std::size_t errors_ = 0;
  std::vector<std::string> labels_;
  std::map<std::string, WordSum> words_;
  std::vector<std::string> methods_;  // in the order of the first row
  std::map<std::string, Measure> faithfulness_;
};

}  // namespace headlight
