#include <utility>

#include "measuring/row_measures.h"
#include "measuring/ways/ways.h"
#include "rows/predict.h"

namespace headlight {

MeasuringWay cascaded_way(const std::vector<std::size_t>& numbers,
                          const ClassifierOptions& reading) {
  return [=](const auto& models, auto& rows, auto& all, auto& found) {
    const auto small = make_classifier(models.first, reading);
    const auto large = make_classifier(*models.second, reading);
    CascadeSums sums(numbers);
    const auto add = [&](const ScoredRow<ComparedPrediction>& scored) {
      const auto& [row, result] = scored;
      all.add(row, result);
      if (row.error.empty()) sums.add(all.gold_of(row), result, result.second, result.seconds);
    };
    score_all<ComparedPrediction>(all, rows, predict_with_both(*small, *large), add);
    if (all.rows() > 0) found.cascade = sums.measure();
  };
}

}  // namespace headlight
