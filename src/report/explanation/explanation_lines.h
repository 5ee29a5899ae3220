// The explanations of the rows of a file, as JSONL.
#pragma once

#include <string>
#include <utility>

#include "inside/explanation.h"
#include "report/predictions/row_serializer.h"

namespace headlight {

/// {"id": 7, …the fields of write_explanation_fields()…}, or {"id": 7, "error": "…"}. A row's
/// trace_summary is its line().
class ExplanationLines : public RowSerializer {
 public:
  ExplanationLines(LabelSet labels, bool ascii) : labels_(std::move(labels)), ascii_(ascii) {}

  std::string header() const override { return ""; }
  std::string without_rows(const RowReader& /*input*/) override { return ""; }
  std::string row(const ScoredRow& scored) const override;
  std::string line(const Row& row, const Explanation& explanation) const;
  std::string final_header(std::size_t /*rows*/) const override { return ""; }

 private:
  LabelSet labels_;
  bool ascii_;
};

}  // namespace headlight
