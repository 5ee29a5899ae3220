#include "metrics/cell_rows.h"

#include <algorithm>

#include "base/utf8.h"

namespace headlight {

void CellRows::add(const LabelSet& labels, const Gold& gold, const Row& row,
                   const Prediction& prediction) {
  const auto& sure = prediction.scores.empty() ? prediction.logits : prediction.scores;
  const double confidence = sure[prediction.best];
  std::vector<SureRow>& rows =
      cells_[{gold.labels.empty() ? gold.unknown.front() : labels.names[gold.labels.front()],
              labels.names[prediction.best]}];
  const auto place = std::ranges::find_if(
      rows, [&](const SureRow& other) { return other.confidence < confidence; });
  if (place == rows.end() && rows.size() == kRows) return;
  const std::string text = row.input.text + (row.input.pair ? " ⟶ " + *row.input.pair : "");
  rows.insert(place, {row.id.text, shortened(text, kLetters), confidence});
  if (rows.size() > kRows) rows.pop_back();
}

const std::vector<SureRow>& CellRows::at(const std::string& gold,
                                         const std::string& predicted) const {
  static const std::vector<SureRow> kNone;
  const auto found = cells_.find({gold, predicted});
  return found == cells_.end() ? kNone : found->second;
}

}  // namespace headlight
