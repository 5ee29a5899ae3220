// Receives scored rows.
#pragma once

#include <any>
#include <optional>
#include <vector>

#include "classifier/prediction.h"
#include "rows/row.h"

namespace headlight {

struct ScoredRow {
  Row row;
  Prediction prediction;            // its error is also set if the row could not be read
  std::optional<Prediction> rival;  // of the second model, from a ComparingScorer
  std::vector<Prediction> without;  // without each part, from an AblatingScorer
  std::vector<float> vector;        // from a VectorScorer; empty: not requested, or an error
  std::any trace_summary;           // from a TraceSummarizer; empty: not traced, or an error
};

class RowSink {
 public:
  virtual ~RowSink() = default;

  /// Called for each row, in the order of the input.
  virtual void write(const ScoredRow& row) = 0;
  /// Passes on what was written. Called at the latest before the program waits for input.
  virtual void flush() = 0;
};

}  // namespace headlight
