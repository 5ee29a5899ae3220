#include "wrong_rows.h"

#include <algorithm>

#include "metrics/evaluation.h"
#include "report/evaluation/evaluation_report.h"

namespace headlight {

void WrongRows::add(const LabelSet& labels, const Gold& gold, const ScoredRow& scored) {
  const auto wrong = wrongness(labels, gold, scored.prediction);
  if (!wrong) return;
  std::string line;
  JsonWriter json(line, ascii_);
  write_wrong_row(json, labels, gold, scored.row, scored.prediction);
  rows_.emplace_back(*wrong, line + '\n');
}

void WrongRows::finish() {
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [wrong, line] : rows_) file_.output().write(line);
  file_.finish();
}

}  // namespace headlight
