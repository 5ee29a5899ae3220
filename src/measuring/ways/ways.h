// The ways to score the rows of a measurement. Each is a file of its own, with the function that
// makes it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "classifier/classifier.h"
#include "measuring/measure.h"
#include "metrics/entity_evaluation.h"

namespace headlight {

/// plain.cpp: with one model, or with what `make` gives for it, such as a zero-shot classifier.
using MakeClassifier = std::function<std::unique_ptr<TextClassifier>(const Model& prepared)>;
MeasuringWay plain_way(const ClassifierOptions& reading);
MeasuringWay plain_way(MakeClassifier make);

/// attended.cpp: also adds up the statistics of heads.
MeasuringWay attended_way(const ClassifierOptions& reading);

/// compared.cpp: with two models of the same labels.
MeasuringWay compared_way(const ClassifierOptions& reading);

/// cascaded.cpp: with the small and the large model of a cascade. `numbers` [c]: of the labels of
/// the small one in the large one.
MeasuringWay cascaded_way(const std::vector<std::size_t>& numbers,
                          const ClassifierOptions& reading);

/// ablated.cpp: also without parts of the model.
struct AblationPlan {
  PartKind kind = PartKind::head;
  std::vector<Part> together = {};  // heads that are taken out at once; empty: each part alone
};
MeasuringWay ablated_way(AblationPlan plan, const ClassifierOptions& reading);

/// attributed.cpp: estimates what parts are worth, and takes them out for a sample of the rows.
MeasuringWay attributed_way(PartKind kind, const ClassifierOptions& reading);

/// entities.cpp: of a model that labels tokens. Rows are tagged (RowReading::tagged), and `gold`
/// has the names of the model's tags. Throws Error if there are no rows.
struct EntityPlan {
  const GoldReader& gold;
  std::string file;
  std::size_t threads = 1;
};
EntityEvaluation measure_entities(const TextClassifier& classifier, RowSource& rows,
                                  const EntityPlan& plan, MeasuringWatch& watch);

}  // namespace headlight
