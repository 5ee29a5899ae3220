// --train ngrams: a new last layer, and what n-grams of tokens add to its logits.

#include "base/error.h"
#include "training/head/label_ngrams.h"
#include "training/ways/model_training.h"
#include "training/ways/ways.h"

namespace headlight {
namespace {

class NgramTraining : public LastLayerTraining {
 public:
  NgramTraining(FitStart start, const HeadSettings& settings)
      : LastLayerTraining(std::move(start), "ngrams", settings, /*with_ngrams=*/true) {}

  Learned learn(const TrainingRun& run, LabelledRows rows) override {
    if (const std::size_t labels = rows.labels.names.size(); labels > kMostNgramLabels) {
      throw Error(run.rows_file,
                  "has " + std::to_string(labels) + " labels, but --train ngrams is for at most " +
                      std::to_string(kMostNgramLabels),
                  "use --train head");
    }
    if (loaded_.description.reads_windows) {
      throw Error(loaded_.place.config, "reads long texts in windows, but --train ngrams does not",
                  "use --long truncate, or --train head");
    }
    return LastLayerTraining::learn(run, std::move(rows));
  }
};

std::optional<Offer> offer_ngrams(const Model& start, const TrainingSize& size,
                                  double /*seconds*/) {
  constexpr double kNgramWeights = 50e6;  // by label, that are read a second
  if (size.is_few() || size.labels > kMostNgramLabels || start.description.reads_windows) {
    return std::nullopt;
  }
  TrainingCost cost = cost_of_last_layer(start, size);
  cost.seconds += kFits * static_cast<double>(size.tokens * size.labels) / kNgramWeights;
  return Offer{cost};
}

}  // namespace

Way ngrams_way(const HeadSettings& settings) {
  const auto way = std::make_shared<TrainingWay>();
  way->word = "ngrams";
  way->help =
      "the last layer, and what single tokens and pairs of them add to the logits, for at "
      "most 16 labels";
  way->takes = {.penalty = true};
  way->begin = [=](FitStart start, const auto& /*run*/) {
    return std::make_shared<NgramTraining>(std::move(start), settings);
  };
  way->offer = offer_ngrams;
  way->instead_of = "head";
  way->penalty_of = settings.penalty ? "" : "ngrams";
  return way;
}

}  // namespace headlight
