#include <algorithm>
#include <utility>

#include "base/error.h"
#include "measuring/row_measures.h"
#include "measuring/ways/rows_again.h"
#include "measuring/ways/ways.h"

namespace headlight {
namespace {

/// What is taken out, together or one after another.
AblationSums sums_for(const AblationPlan& plan, const Model& model, const LabelSet& labels) {
  const std::vector<Part> parts = plan.together.empty() ? parts_of(model.description, plan.kind)
                                                        : std::vector{plan.together.front()};
  if (parts.empty()) {
    throw Error(model.place.path,
                std::string("has no ") + word_for(plan.kind, kPartsWords) + " to take out");
  }
  AblationSums sums(labels, parts);
  sums.together = plan.together;
  return sums;
}

std::vector<PartAway> parts_away(const AblationPlan& plan, const Description& model) {
  std::vector<PartAway> parts;
  for (const Part& part : parts_of(model, plan.kind)) parts.push_back({part});
  return plan.together.empty() ? parts : std::vector{together(plan.together, parts)};
}

/// The effects of taking out the heads one after another; empty if a row has an error.
std::vector<PartEffect> curve_of(const Classifier& classifier, const std::vector<PartAway>& heads,
                                 const AblationSums& single, RowSpool& rows,
                                 const RowMeasures& all) {
  const std::vector<Part> order = by_need(single.measure().effects);
  std::vector<PartAway> more_and_more;
  more_and_more.reserve(order.size());
  for (std::size_t i = 1; i <= order.size(); ++i) {
    more_and_more.push_back(together(std::span(order).first(i), heads));
  }
  AblationSums sums(all.labels(), order);
  const AblatedClassifier ablated(classifier, std::move(more_and_more));
  add_again(ablated, rows, all, "row of the curve", sums);
  std::vector<PartEffect> curve = sums.measure().effects;
  const bool complete = std::ranges::all_of(curve, [](const auto& one) { return one.rows > 0; });
  return complete ? curve : std::vector<PartEffect>();
}

/// For the curve, rows are kept and read again.
void score_without(const AblationPlan& plan, const Classifier& classifier, RowSource& rows,
                   RowMeasures& all, Measured& found) {
  const auto begin = AblationClock::now();
  AblationSums sums = sums_for(plan, classifier.model(), all.labels());
  const auto parts = parts_away(plan, classifier.model().description);
  const AblatedClassifier ablated(classifier, parts);
  RowSpool again;
  const auto add = [&](const ScoredRow<AblatedPrediction>& scored) {
    const auto& [row, result] = scored;
    all.add(row, result);
    if (!result.error.empty()) return;
    sums.add(all.gold_of(row), result, result.without);
    if (plan.has_curve) again.add(row);
  };
  score_all<AblatedPrediction>(all, rows, without_parts(ablated), add);
  if (is_interrupted()) return;
  found.ablation = sums.measure();
  if (again.size() == 0) return;
  const auto middle = AblationClock::now();
  found.ablation->curve = curve_of(classifier, parts, sums, again, all);
  if (is_interrupted()) return;
  all.watch().note("the ablation took " + seconds_between(begin, middle) + ", the curve " +
                   seconds_between(middle, AblationClock::now()));
}

}  // namespace

MeasuringWay ablated_way(AblationPlan plan, const ClassifierOptions& reading) {
  return [plan = std::move(plan), reading = in_one_pass(reading)](const auto& models, auto& rows,
                                                                  auto& all, auto& found) {
    score_without(plan, Classifier(models.first, reading), rows, all, found);
  };
}

}  // namespace headlight
