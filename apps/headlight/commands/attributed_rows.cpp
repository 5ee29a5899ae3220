// evaluate --attribute: what each part of the model is worth for the rows, and what taking it out
// does to a sample of them.

#include <chrono>
#include <utility>

#include "commands/row_measures.h"
#include "inside/ablated_classifier.h"
#include "metrics/attribution.h"
#include "report/formats/plain_text.h"
#include "rows/scoring.h"

namespace headlight {

void RowMeasures::attribute(const Classifier& classifier, std::size_t threads, RowsAhead& rows,
                            Progress& progress) {
  using Seconds = std::chrono::duration<double>;
  const auto begin = std::chrono::steady_clock::now();
  Attribution attribution(classifier, gold_, *options_.ablation.attributed(),
                          options_.ablation.rules());
  const std::vector<Part> parts = attribution.sample_parts();
  std::vector<PartAway> away;
  away.reserve(parts.size());
  for (const Part& part : parts) away.push_back({part});
  const AblatedClassifier ablated(classifier, std::move(away));  // refuses some layers
  score_chunks({threads}, rows, [&](std::vector<Row> some, ScoringScratch& scratch) {
    const std::size_t count = some.size();
    auto results = attribution.score(some, scratch, is_interrupted);
    auto scored = with_results(std::move(some), std::move(results));
    const bool is_complete = scored.size() == count;
    const auto write = [&, all = std::move(scored)] {
      for (const auto& [row, result] : all) {
        add(row, result);
        if (!result.worth.empty()) attribution.add(row, result.worth);
        progress.update(rows, errors_);
      }
    };
    return ScoredChunk{write, is_complete};
  });
  if (is_interrupted()) return;

  constexpr std::size_t kRowsAtOnce = 4;  // of few rows, so that each thread has some
  const auto middle = std::chrono::steady_clock::now();
  RowSpool sample = attribution.sample_rows();
  AblationSums& sums = ablation_.emplace(labels_, parts, /*by_mean=*/false);
  Progress of_sample(options_.progress.style(options_.console), "row of the sample");
  std::size_t done = 0;
  const auto score_all = [&](std::span<const TextInput> texts, ScoringScratch& scratch) {
    return ablated.classify(texts, scratch, is_interrupted);
  };
  const auto add_all = [&](const ScoredRow<AblatedPrediction>& scored) {
    sums.add(gold_.read(scored.row.label), scored.result, scored.result.without);
    ++done;
    of_sample.update({done, static_cast<double>(done) / static_cast<double>(sample.size())});
  };
  score_rows<AblatedPrediction>({threads, kRowsAtOnce}, sample, score_all, {add_all});
  if (is_interrupted()) return;
  attribution_ = attribution.measure(sums.measure());
  const auto end = std::chrono::steady_clock::now();
  options_.console.note("attribution took " + fixed(Seconds(middle - begin).count(), 1) +
                        " s, the ablation that it is compared with " +
                        fixed(Seconds(end - middle).count(), 1) + " s");
}

}  // namespace headlight
