#include "measuring/ways/rows_again.h"

#include "base/utf8.h"

namespace headlight {

ScoreTexts<AblatedPrediction> without_parts(const AblatedClassifier& ablated) {
  return [&](std::span<const TextInput> texts, ScoringScratch& scratch) {
    return ablated.classify(texts, scratch, is_interrupted);
  };
}

void add_again(const AblatedClassifier& ablated, RowSpool& rows, const RowMeasures& all,
               const char* thing, AblationSums& sums, std::size_t rows_at_once) {
  all.watch().begin(thing);
  std::size_t done = 0;
  const auto add = [&](const ScoredRow<AblatedPrediction>& scored) {
    sums.add(all.gold_of(scored.row), scored.result, scored.result.without);
    ++done;
    all.watch().count(done, static_cast<double>(done) / static_cast<double>(rows.size()));
  };
  score_all<AblatedPrediction>(all, rows, without_parts(ablated), add, rows_at_once);
}

std::string seconds_between(AblationClock::time_point begin, AblationClock::time_point end) {
  return formatted("%.1f s", std::chrono::duration<double>(end - begin).count());
}

}  // namespace headlight
