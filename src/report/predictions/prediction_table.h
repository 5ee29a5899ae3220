// Predictions as the cells of a table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/predictions/prediction_report.h"
#include "rows/delimited.h"

namespace headlight {

/// The columns that the fields of write_prediction() become: label, probability, labels (their
/// names with | between), or value or value.NAME; logit.NAME, probability.NAME, tokens, truncated,
/// windows, error.
class PredictionTable {
 public:
  /// `labels` must outlive it.
  PredictionTable(const LabelSet& labels, const PredictionView& view);

  std::vector<std::string> names() const;
  /// A cell a column; nothing where it does not apply.
  std::vector<Cell> cells(const Prediction& prediction) const;

 private:
  struct Column {
    std::string name;
    std::function<Cell(const Prediction&)> cell;  // of one without an error
  };

  void add_verdict(const LabelSet& labels, const PredictionView& view);
  void add_numbers(const std::string& name, const std::vector<std::string>& labels,
                   std::vector<float> Prediction::*values);
  void add_counts(const PredictionView& view);

  std::string prefix_;
  std::vector<Column> columns_;
};

}  // namespace headlight
