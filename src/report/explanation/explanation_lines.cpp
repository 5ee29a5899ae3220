#include "report/explanation/explanation_lines.h"

#include <any>

#include "report/explanation/explanation_report.h"
#include "report/predictions/prediction_report.h"

namespace headlight {

std::string ExplanationLines::row(const ScoredRow& scored) const {
  std::string line;
  JsonWriter json(line, ascii_);
  json.begin_object().key("id");
  write_id(json, scored.row.id);
  if (const auto* found = std::any_cast<Explanation>(&scored.trace_summary)) {
    write_explanation_fields(json, labels_, scored.row.input, *found);
  } else {
    json.field("error", scored.prediction.error);
  }
  json.end_object();
  return line + '\n';
}

}  // namespace headlight
