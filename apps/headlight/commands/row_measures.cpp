#include "commands/row_measures.h"

#include "inside/ablated_classifier.h"
#include "rows/predict.h"
#include "rows/row_spool.h"

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
  const ClassifierOptions reading = options_.text.classifier_options();
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

/// For the means of heads, all rows are read first and kept.
void RowMeasures::score_without_parts(const Classifier& classifier, std::size_t threads,
                                      RowsAhead& rows, Progress& progress) {
  const bool by_mean = options_.ablation.by_mean();
  const Description& model = classifier.model().description;
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
  const AblatedClassifier ablated(classifier,
                                  by_mean ? means.heads(model) : options_.ablation.parts(model));
  const auto score_all = [&](std::span<const TextInput> texts, ScoringScratch& scratch) {
    return ablated.classify(texts, scratch, is_interrupted);
  };
  const auto add_all = [&](const ScoredRow<AblatedPrediction>& scored) {
    const auto& [row, result] = scored;
    add(row, result);
    if (result.error.empty()) ablation_->add(gold_.read(row.label), result, result.without);
    if (!by_mean) return progress.update(rows, errors_);
    const auto all = static_cast<double>(kept.size());
    progress.update({errors_.rows(), static_cast<double>(errors_.rows()) / all});
  };
  RowSource& source = by_mean ? static_cast<RowSource&>(kept) : rows;
  score_rows<AblatedPrediction>({threads}, source, score_all, {add_all});
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
  results.attribution = attribution_;
  return results;
}

}  // namespace headlight
