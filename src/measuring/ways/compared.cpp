#include "measuring/row_measures.h"
#include "measuring/ways/ways.h"
#include "rows/predict.h"

namespace headlight {

MeasuringWay compared_way(const ClassifierOptions& reading) {
  return [reading](const auto& models, auto& rows, auto& all, auto& found) {
    const bool alike = models.first.place.name == models.second->place.name;
    const auto rival = [&](const Model& model) {
      return Rival{alike ? model.place.path : model.place.name, labels_of(model, reading)};
    };
    ModelComparison comparison(rival(models.first), rival(*models.second));
    const auto first = make_classifier(models.first, reading);
    const auto second = make_classifier(*models.second, reading);
    const auto add = [&](const ScoredRow<ComparedPrediction>& scored) {
      const auto& [row, result] = scored;
      all.add(row, result);
      if (!row.error.empty()) return comparison.add_error();
      comparison.add(row, all.gold_of(row), result, result.second);
    };
    score_all<ComparedPrediction>(all, rows, predict_with_both(*first, *second), add);
    found.comparison = comparison.measure();
    found.labels_of_second = second->labels();
  };
}

}  // namespace headlight
