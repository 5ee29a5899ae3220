// The words that push each label most over a file of explanations, and how faithful they are.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "rows/row.h"

namespace headlight {

/// Words are compared without punctuation at their ends and in lower case (ASCII).
class ExplanationSummary {
 public:
  /// `names`: of the model's labels, of which those are listed that the rows have effects on.
  /// `most`: of the words of a label; empty: 20 in text, all in JSON.
  ExplanationSummary(std::vector<std::string> names, std::optional<std::size_t> most)
      : names_(std::move(names)), most_(most) {}

  /// A row that ExplanationLines wrote, with all its fields kept.
  void add(const Row& row);

  /// Per label a table of the words with the largest sum of effects, then the mean faithfulness of
  /// each method with its 95 % confidence interval.
  std::string text() const;
  /// {"rows", "errors", "words": {label: [{"word", "count", "mean_effect", "total_effect"}, …]},
  /// "faithfulness": [{"method", "rows", "comprehensiveness", "comprehensiveness_interval", …},
  /// …]}. The largest sum comes first.
  void write(JsonWriter& json) const;

 private:
  struct WordSum {
    std::size_t count = 0;
    double total = 0.0;
  };
  using Measure = std::map<std::string, std::vector<double>>;  // values by name
  struct Listed {
    const std::string* word;
    std::size_t count;
    double total;
  };
  /// At most `most` words of a label.
  std::vector<Listed> by_total(const std::string& label, std::size_t most) const;
  /// The labels that have words, by number.
  std::vector<std::string> labels() const;

  std::size_t rows_ = 0;
  std::size_t errors_ = 0;
  std::vector<std::string> names_;
  std::optional<std::size_t> most_;
  std::map<std::string, std::map<std::string, WordSum>> words_;  // by label and word
  std::vector<std::string> methods_;                             // in the order of the first row
  std::map<std::string, Measure> faithfulness_;
};

}  // namespace headlight
