#include "report/explanation/explanation_lines.h"

#include "report/explanation/explanation_report.h"
#include "report/predictions/prediction_report.h"

namespace headlight {

std::string ExplanationLines::row(const ScoredRow<ExplainedText>& scored) const {
  const auto& [row, text] = scored;
  std::string line;
  JsonWriter json(line, ascii_);
  json.begin_object().key("id");
  write_id(json, row.id);
  if (text.explanation) {
    write_explanation_fields(json, labels_, row.input, *text.explanation);
  } else {
    json.field("error", text.error);
  }
  json.end_object();
  return line + '\n';
}

}  // namespace headlight
