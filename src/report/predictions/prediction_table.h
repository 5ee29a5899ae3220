// Predictions as table cells.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/predictions/prediction_report.h"
#include "rows/delimited.h"

namespace headlight {

/// The fields of write_prediction() as columns: label, probability, labels (names separated by |),
/// or value or value.NAME; logit.NAME, probability.NAME, tokens, truncated, windows, error. With a
/// label for each token: entities, token_logits, ids, offsets as JSON instead.
class PredictionTable {
 public:
  /// `labels` must outlive it.
  PredictionTable(const LabelSet& labels, const PredictionView& view);

  std::vector<std::string> names() const;
  /// One cell per column; empty if a column does not apply.
  std::vector<Cell> cells(const Prediction& prediction) const;

 private:
  struct Column {
    std::string name;
    std::function<Cell(const Prediction&)> cell;  // the prediction has no error
  };

  void add_token_labels(const PredictionView& view);
  void add_verdict(const LabelSet& labels, const PredictionView& view);
  void add_numbers(const std::string& name, const std::vector<std::string>& labels,
                   std::vector<float> Prediction::*values);
  void add_counts(const PredictionView& view);

  std::string prefix_;
  std::vector<Column> columns_;
};

}  // namespace headlight
