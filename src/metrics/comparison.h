// Two models on the same labelled rows: which rows only one predicts correctly, and whether the
// difference can be chance (McNemar 1947, "Note on the Sampling Error of the Difference Between
// Correlated Proportions or Percentages").
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metrics/evaluation.h"
#include "rows/row.h"

namespace headlight {

/// A row that only one model predicts correctly. Labels are names, several joined by " | ".
struct DisputedRow {
  RowId id;
  std::size_t line = 0;  // 0: not from a file
  TextInput input;
  std::string gold;
  std::string first;  // predicted by the first model
  std::string second;
};

/// Rows with an error in either model are in `errors` only.
struct Comparison {
  std::string first_name;
  std::string second_name;
  std::size_t both = 0;         // rows that both predict correctly
  std::size_t first_only = 0;   // only the first
  std::size_t second_only = 0;  // only the second
  std::size_t neither = 0;
  std::size_t errors = 0;
  std::size_t agreeing = 0;      // rows with the same prediction, correct or not
  double p_value = 1.0;          // as exact_mcnemar()
  double accuracy_change = 0.0;  // from the first to the second; 0 without rows
  std::optional<Interval> accuracy_change_interval;  // empty for few rows: paired_interval()
  Evaluation second;                                 // all measures of the second model
  std::vector<DisputedRow> disputed;

  std::size_t rows() const { return both + first_only + second_only + neither; }
};

/// The two-sided exact test: the probability that two models that are equally good divide
/// first_only + second_only rows at least so unevenly; 1 without such rows.
double exact_mcnemar(std::size_t first_only, std::size_t second_only);

/// A model by name, and the labels of its predictions.
struct Rival {
  std::string name;
  LabelSet labels;
};

/// The number of each label of `first` in `second`. Throws Error if they have no labels, or not the
/// same ones; their order may differ. `option` needs them.
std::vector<std::size_t> matching_labels(const Rival& first, const Rival& second,
                                         const std::string& option);

class ModelComparison {
 public:
  /// Throws Error if the models have no labels, or not the same ones. Their order may differ.
  ModelComparison(Rival first, Rival second);

  /// `gold` has the label numbers of the first model. Either prediction may have an error.
  void add(const Row& row, const Gold& gold, const Prediction& first, const Prediction& second);
  /// Counts a row that cannot be read.
  void add_error();

  Comparison measure() const;

 private:
  Rival first_;
  Rival second_;
  std::vector<std::size_t> numbers_;  // of the first model's labels in the second
  Evaluator evaluator_;               // of the second
  Comparison comparison_;
};

}  // namespace headlight
