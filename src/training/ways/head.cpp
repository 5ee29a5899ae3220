// --train head: a new last layer, on the vectors of the model.

#include "training/ways/model_training.h"
#include "training/ways/ways.h"

namespace headlight {

Way head_way(const HeadSettings& settings) {
  const auto way = std::make_shared<TrainingWay>();
  way->word = "head";
  way->help = "the last layer, on the vectors of the model";
  way->takes = {.penalty = true};
  way->begin = [=](FitStart start, const auto& /*run*/) {
    return std::make_shared<LastLayerTraining>(std::move(start), "head", settings,
                                               /*with_ngrams=*/false);
  };
  way->offer = [](const Model& start, const TrainingSize& size, double /*seconds*/) {
    return Offer{cost_of_last_layer(start, size)};
  };
  way->keeps_layout = keeps_layout_of_head;
  way->blind_from = 0.0;
  way->penalty_of = settings.penalty ? "" : "head";
  return way;
}

}  // namespace headlight
