#include "report/explanation/explanation_lines.h"

#include <any>

#include "report/explanation/explanation_report.h"
#include "report/predictions/prediction_report.h"

namespace headlight {

std::string ExplanationLines::line(const Row& row, const Explanation& explanation) const {
  std::string line;
  JsonWriter json(line, ascii_);
  json.begin_object().key("id");
  write_id(json, row.id);
  write_explanation_fields(json, labels_, row.input, explanation);
  json.end_object();
  return line += '\n';
}

std::string ExplanationLines::row(const ScoredRow& scored) const {
  if (const auto* line = std::any_cast<std::string>(&scored.trace_summary)) return *line;
  std::string line;
  JsonWriter json(line, ascii_);
  json.begin_object().key("id");
  write_id(json, scored.row.id);
  json.field("error", scored.prediction.error).end_object();
  return line + '\n';
}

}  // namespace headlight
