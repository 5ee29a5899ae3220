#include "commands/row_measures.h"

#include <algorithm>

#include "rows/predict.h"

namespace headlight {
RowMeasures::RowMeasures(const EvaluateOptions& options, const LabelSet& labels,
                         const GoldReader& gold, const Models& models)
    : options_(options),
      labels_(labels),
      gold_(gold),
      evaluator_(labels, options.fit.wanted()),
      slices_(options.comparing.slices(labels)),
      comparison_(options.comparing.comparison(models.first, labels, models.second,
                                               options.text.classifier_options())),
      ablation_(options.ablation.sums(models.first, labels)) {}

void RowMeasures::score(const Models& prepared, std::size_t threads, RowsAhead& rows) {
  Progress progress(options_.progress.style(options_.console), "row");
  const auto add_scored = [&](const auto& scored) {
    add(scored.row, scored.result);
    progress.update(rows, errors_);
  };
  ClassifierOptions reading = options_.text.classifier_options();
  const bool in_one_pass = options_.attention || ablation_ || options_.ablation.attributed();
  if (in_one_pass && !reading.long_texts) reading.long_texts = LongTexts::truncate;
  if (options_.attention) {
    const Classifier classifier(prepared.first, reading);
    const auto add_traced = [&](const ScoredRow<AttendedPrediction>& scored) {
      attention_.add(scored.result.attention);
      add_scored(scored);
    };
    return score_rows<AttendedPrediction>({threads, 1}, rows, predict_with_attention(classifier),
                                          {add_traced});
  }
  if (ablation_) {
    return score_without_parts(Classifier(prepared.first, reading), threads, rows, progress);
  }
  if (options_.ablation.attributed()) {
    return attribute(Classifier(prepared.first, reading), threads, rows, progress);
  }
  const auto classifier = options_.zero_shot.classifier(prepared.first, reading);
  if (!prepared.second) {
    return score_rows<Prediction>({threads}, rows, predict_with(*classifier), {add_scored});
  }
  const Classifier second(*prepared.second, reading);
  if (options_.cascade.is_used()) {
    cascade_.emplace(CascadeOptions::numbers_in(prepared.first, *prepared.second, reading));
  }
  const auto add_both = [&](const ScoredRow<ComparedPrediction>& scored) {
    add_scored(scored);
    const auto& [row, result] = scored;
    if (!row.error.empty()) return;
    const Gold gold = gold_.read(row.label);
    if (comparison_) comparison_->add(row, gold, result, result.second);
    if (cascade_) cascade_->add(gold, result, result.second, result.seconds);
  };
  score_rows<ComparedPrediction>({threads}, rows, predict_with_both(*classifier, second),
                                 {add_both});
}

void RowMeasures::add(const Row& row, const Prediction& prediction) {
  errors_.add(row, prediction);
  if (comparison_ && !row.error.empty()) comparison_->add_error();
  if (!prediction.error.empty()) {
    evaluator_.add_error();
    if (slices_) slices_->add_error(row);
    return;
  }
  const Gold gold = gold_.read(row.label);
  evaluator_.add(gold, prediction);
  if (slices_) slices_->add(row, gold, prediction);
  if (labels_.problem_type == ProblemType::single_label && !options_.page_file.empty()) {
    cell_rows_.add(labels_, gold, row, prediction);
  }
  if (wrong_rows != nullptr) wrong_rows->add(labels_, gold, row, prediction);
}

EvaluationResults RowMeasures::results() const {
  EvaluationResults results;
  results.labels = labels_;
  results.evaluation = evaluator_.measure();
  results.evaluation.attention = attention_.statistics();
  if (slices_) results.slices = slices_->measure(options_.rows.file());
  if (comparison_) results.comparison = comparison_->measure();
  if (cascade_) results.cascade = cascade_->measure();
  if (ablation_) results.ablation = ablation_->measure();
  if (curve_) {
    const std::vector<PartEffect> curve = curve_->measure().effects;
    const bool complete = std::ranges::all_of(curve, [](const auto& one) { return one.rows > 0; });
    if (complete) results.ablation->curve = curve;
  }
  results.attribution = attribution_;
  results.cell_rows = cell_rows_;
  return results;
}

}  // namespace headlight
