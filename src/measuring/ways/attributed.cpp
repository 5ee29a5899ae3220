#include <utility>

#include "measuring/row_measures.h"
#include "measuring/ways/rows_again.h"
#include "measuring/ways/ways.h"
#include "metrics/attribution.h"

namespace headlight {
namespace {

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

}  // namespace

MeasuringWay attributed_way(PartKind kind, BackwardRules rules, const ClassifierOptions& reading) {
  return
      [=, reading = in_one_pass(reading)](const auto& models, auto& rows, auto& all, auto& found) {
        constexpr std::size_t kRowsAtOnce = 4;  // of few rows, so that each thread has some
        const auto begin = AblationClock::now();
        const Classifier classifier(models.first, reading);
        Attribution attribution(classifier, all.gold(), kind, rules);
        const std::vector<Part> parts = attribution.sample_parts();
        std::vector<PartAway> away;
        away.reserve(parts.size());
        for (const Part& part : parts) away.push_back({part});
        const AblatedClassifier ablated(classifier, std::move(away));  // refuses some layers
        attribute(attribution, rows, all);
        if (is_interrupted()) return;
        const auto middle = AblationClock::now();
        RowSpool sample = attribution.sample_rows();
        AblationSums sums(all.labels(), parts);
        add_again(ablated, sample, all, "row of the sample", sums, kRowsAtOnce);
        if (is_interrupted()) return;
        found.ablation = sums.measure();
        found.attribution = attribution.measure(*found.ablation);
        all.watch().note("attribution took " + seconds_between(begin, middle) +
                         ", the ablation that it is compared with " +
                         seconds_between(middle, AblationClock::now()));
      };
}

}  // namespace headlight
