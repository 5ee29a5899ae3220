// evaluate --ablate: scores the rows with the whole model and without parts of it.

#include <chrono>

#include "commands/row_measures.h"
#include "inside/ablated_classifier.h"
#include "report/formats/plain_text.h"
#include "rows/predict.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;

std::string seconds_since(Clock::time_point begin) {
  return fixed(std::chrono::duration<double>(Clock::now() - begin).count(), 1) + " s";
}

auto scorer(const AblatedClassifier& ablated) {
  return [&](std::span<const TextInput> texts, ScoringScratch& scratch) {
    return ablated.classify(texts, scratch, is_interrupted);
  };
}

double share(std::size_t done, const RowSpool& all) {
  return static_cast<double>(done) / static_cast<double>(all.size());
}

}  // namespace

/// For the means of heads, and for the curve, rows are kept and read again.
void RowMeasures::score_without_parts(const Classifier& classifier, std::size_t threads,
                                      RowsAhead& rows, Progress& progress) {
  const auto begin = Clock::now();
  const bool by_mean = options_.ablation.by_mean();
  RowSpool kept;
  HeadMeans means;
  if (by_mean) {
    const auto keep = [&](const ScoredRow<HeadsPrediction>& scored) {
      kept.add(scored.row);
      means.add(scored.result.heads);
    };
    score_rows<HeadsPrediction>({threads, 1}, rows, predict_with_heads(classifier), {keep});
    if (is_interrupted()) return;
  }
  const auto parts = options_.ablation.parts(classifier.model().description, means);
  const AblatedClassifier ablated(classifier, parts);
  RowSpool again;
  const auto add_all = [&](const ScoredRow<AblatedPrediction>& scored) {
    const auto& [row, result] = scored;
    add(row, result);
    if (result.error.empty()) ablation_->add(gold_.read(row.label), result, result.without);
    if (options_.ablation.has_curve() && result.error.empty()) again.add(row);
    if (!by_mean) return progress.update(rows, errors_);
    progress.update({errors_.rows(), share(errors_.rows(), kept)});
  };
  RowSource& source = by_mean ? static_cast<RowSource&>(kept) : rows;
  score_rows<AblatedPrediction>({threads}, source, scorer(ablated), {add_all});
  if (is_interrupted() || again.size() == 0) return;
  const std::string taken = seconds_since(begin);
  const auto middle = Clock::now();
  add_curve(classifier, parts, threads, again);
  if (is_interrupted()) return;
  options_.console.note("the ablation took " + taken + ", the curve " + seconds_since(middle));
}

void RowMeasures::add_curve(const Classifier& classifier, const std::vector<PartAway>& heads,
                            std::size_t threads, RowSpool& rows) {
  const std::vector<Part> order = by_need(ablation_->measure().effects);
  std::vector<PartAway> more_and_more;
  more_and_more.reserve(order.size());
  for (std::size_t i = 1; i <= order.size(); ++i) {
    more_and_more.push_back(together(std::span(order).first(i), heads));
  }
  const AblatedClassifier ablated(classifier, more_and_more);
  AblationSums& sums = curve_.emplace(labels_, order, options_.ablation.by_mean());
  Progress progress(options_.progress.style(options_.console), "row of the curve");
  std::size_t done = 0;
  const auto add_all = [&](const ScoredRow<AblatedPrediction>& scored) {
    sums.add(gold_.read(scored.row.label), scored.result, scored.result.without);
    ++done;
    progress.update({done, share(done, rows)});
  };
  score_rows<AblatedPrediction>({threads}, rows, scorer(ablated), {add_all});
}

}  // namespace headlight
