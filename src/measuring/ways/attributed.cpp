#include <chrono>
#include <utility>

#include "base/utf8.h"
#include "measuring/row_measures.h"
#include "measuring/ways/ways.h"
#include "metrics/attribution.h"
#include "rows/predict.h"

namespace headlight {
namespace {

using AttributionClock = std::chrono::steady_clock;

std::string seconds_since(AttributionClock::time_point begin) {
  return formatted("%.1f s",
                   std::chrono::duration<double>(AttributionClock::now() - begin).count());
}

void attribute(Attribution& attribution, RowSource& rows, RowMeasures& all) {
  score_chunks({all.threads()}, rows, [&](std::vector<Row> some, ScoringScratch& scratch) {
    const std::size_t count = some.size();
    auto results = attribution.score(some, scratch, is_interrupted);
    auto scored = with_results(std::move(some), std::move(results));
    const bool is_complete = scored.size() == count;
    const auto write = [&, scored = std::move(scored)] {
      for (const auto& [row, result] : scored) {
        all.add(row, result);
        if (!result.worth.empty()) attribution.add(row, result.worth);
      }
    };
    return ScoredChunk{write, is_complete};
  });
}

/// Takes the parts out over the sample, whose rows were measured before.
Ablation ablate_sample(const AblatedClassifier& ablated, const Attribution& attribution,
                       const RowMeasures& all) {
  constexpr std::size_t kRowsAtOnce = 4;  // of few rows, so that each thread has some
  RowSpool sample = attribution.sample_rows();
  AblationSums sums(all.labels(), attribution.sample_parts());
  all.watch().begin("row of the sample");
  std::size_t done = 0;
  const auto add = [&](const ScoredRow<AblatedPrediction>& scored) {
    sums.add(all.gold_of(scored.row), scored.result, scored.result.without);
    ++done;
    all.watch().count(done, static_cast<double>(done) / static_cast<double>(sample.size()));
  };
  score_all<AblatedPrediction>(all, sample, predict_without_parts(ablated), add, kRowsAtOnce);
  return sums.measure();
}

}  // namespace

MeasuringWay attributed_way(PartKind kind, const ClassifierOptions& reading) {
  return
      [=, reading = in_one_pass(reading)](const auto& models, auto& rows, auto& all, auto& found) {
        const auto begin = AttributionClock::now();
        const Classifier classifier(models.first, reading);
        Attribution attribution(classifier, all.gold(), kind);
        const AblatedClassifier ablated(  // refuses some layers
            classifier, each_alone(attribution.sample_parts()));
        attribute(attribution, rows, all);
        if (is_interrupted()) return;
        const std::string first = seconds_since(begin);
        const auto middle = AttributionClock::now();
        found.ablation = ablate_sample(ablated, attribution, all);
        if (is_interrupted()) return;
        found.attribution = attribution.measure(*found.ablation);
        all.watch().note("attribution took " + first + ", the ablation that it is compared with " +
                         seconds_since(middle));
      };
}

}  // namespace headlight
