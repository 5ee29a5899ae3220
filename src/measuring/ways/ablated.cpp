#include <utility>

#include "base/error.h"
#include "measuring/row_measures.h"
#include "measuring/ways/ways.h"
#include "rows/predict.h"

namespace headlight {
namespace {

void score_without(const AblationPlan& plan, const Classifier& classifier, RowSource& rows,
                   RowMeasures& all, Measured& found) {
  const Model& model = classifier.model();
  const std::vector<Part> parts = parts_of(model.description, plan.kind);
  if (parts.empty()) {
    throw Error(model.place.path,
                std::string("has no ") + word_for(plan.kind, kPartsWords) + " to take out");
  }
  const bool at_once = !plan.together.empty();
  AblationSums sums(all.labels(), at_once ? std::vector{plan.together.front()} : parts);
  sums.together = plan.together;
  const AblatedClassifier ablated(classifier,
                                  at_once ? std::vector(1, plan.together) : each_alone(parts));
  const auto add = [&](const ScoredRow<AblatedPrediction>& scored) {
    const auto& [row, result] = scored;
    all.add(row, result);
    if (result.error.empty()) sums.add(all.gold_of(row), result, result.without);
  };
  score_all<AblatedPrediction>(all, rows, predict_without_parts(ablated), add);
  found.ablation = sums.measure();
}

}  // namespace

MeasuringWay ablated_way(AblationPlan plan, const ClassifierOptions& reading) {
  return [plan = std::move(plan), reading = in_one_pass(reading)](const auto& models, auto& rows,
                                                                  auto& all, auto& found) {
    score_without(plan, Classifier(models.first, reading), rows, all, found);
  };
}

}  // namespace headlight
