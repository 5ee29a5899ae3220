// The explanations of the rows of a file, as JSONL.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "inside/explanation.h"
#include "report/predictions/row_serializer.h"
#include "rows/scoring.h"

namespace headlight {

struct ExplainedText : TextResult {
  std::optional<Explanation> explanation;  // empty with an error
};

/// {"id": 7, …the fields of write_explanation_fields()…}, or {"id": 7, "error": "…"}
class ExplanationLines : public RowSerializer {
 public:
  ExplanationLines(LabelSet labels, bool ascii) : labels_(std::move(labels)), ascii_(ascii) {}

  std::string row(const ScoredRow<ExplainedText>& scored) const;

 private:
  LabelSet labels_;
  bool ascii_;
};

}  // namespace headlight
