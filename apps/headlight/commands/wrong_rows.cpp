#include "commands/wrong_rows.h"

#include <string>
#include <string_view>

#include "metrics/evaluation.h"
#include "report/evaluation/evaluation_report.h"

namespace headlight {

void WrongRows::add(const LabelSet& labels, const Gold& gold, const Row& row,
                    const Prediction& prediction) {
  const auto wrong = wrongness(labels, gold, prediction);
  if (!wrong) return;
  std::string line;
  JsonWriter json(line, ascii_);
  write_wrong_row(json, labels, gold, row, prediction);
  rows_.add(*wrong, line + '\n');
}

void WrongRows::finish() {
  rows_.pass_on([&](std::string_view line) { file_.output().write(line); });
  file_.finish();
}

}  // namespace headlight
