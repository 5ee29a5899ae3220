#include <utility>

#include "measuring/row_measures.h"
#include "measuring/ways/ways.h"
#include "rows/predict.h"

namespace headlight {

MeasuringWay plain_way(const ClassifierOptions& reading) {
  return plain_way([reading](const Model& model) { return make_classifier(model, reading); });
}

MeasuringWay plain_way(MakeClassifier make) {
  return [make = std::move(make)](const auto& models, auto& rows, auto& all, auto& /*found*/) {
    const auto classifier = make(models.first);
    score_all<Prediction>(all, rows, predict_with(*classifier),
                          [&](const auto& scored) { all.add(scored.row, scored.result); });
  };
}

}  // namespace headlight
