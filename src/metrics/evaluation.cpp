#include "metrics/evaluation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/utf8.h"
#include "metrics/score_measures.h"

namespace headlight {
namespace {

constexpr std::size_t kNamedLabels = 8;

std::optional<double> surest_mistake(const LabelSet& labels, const Gold& gold,
                                     const Prediction& prediction) {
  const auto should = flags_of(gold.labels, labels.names.size());
  const auto given = flags_of(given_labels(labels, prediction), labels.names.size());
  std::optional<double> surest;
  if (!gold.unknown.empty()) surest = 1.0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == should[i]) continue;
    const double score = prediction.scores[i];
    surest = std::max(surest.value_or(0.0), given[i] ? score : 1.0 - score);
  }
  return surest;
}

/// Adds a note that lists the labels for which a measure is 0 because its denominator is 0.
void note_undefined(const LabelSet& labels, Evaluation& evaluation, const std::string& what,
                    std::size_t LabelMeasures::*denominator) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < labels.names.size(); ++i) {
    if (evaluation.labels[i].*denominator == 0) names.push_back(labels.names[i]);
  }
  if (!names.empty()) evaluation.notes.push_back(what + ": " + listed(names, kNamedLabels));
}

void describe_labels(const LabelSet& labels, const std::vector<LabelCounts>& counts,
                     AveragedLabels averaged, Evaluation& evaluation) {
  for (const LabelCounts& label : counts) evaluation.labels.push_back(measures_of(label));
  add_f1(average_f1(counts, averaged), evaluation.measures);
  note_undefined(labels, evaluation, "label never predicted; precision set to 0",
                 &LabelMeasures::predicted);
  note_undefined(labels, evaluation, "no rows with this label; recall set to 0",
                 &LabelMeasures::support);
}

/// Adds the area under the ROC curve, and what measures of probabilities leave out.
void add_roc_area(const std::optional<double>& area, Evaluation& evaluation) {
  if (area) evaluation.measures.push_back({"auc", "area under ROC", *area});
  if (evaluation.unknown_label_rows > 0) {
    evaluation.notes.emplace_back(
        "log loss, calibration and other measures of probabilities are of the rows with known "
        "labels");
  }
  if (!area) {
    evaluation.notes.emplace_back(
        "no area under the ROC curve: all rows have the same gold labels");
  }
}

void add_regression(const RegressionMeasures& found, Evaluation& evaluation) {
  std::vector<Measure>& measures = evaluation.measures;
  measures.push_back({"mse", "mean squared error", found.mean_squared_error});
  measures.push_back({"mae", "mean absolute error", found.mean_absolute_error});
  if (found.pearson) measures.push_back({"pearson", "Pearson correlation", *found.pearson});
  if (found.spearman) measures.push_back({"spearman", "Spearman correlation", *found.spearman});
  if (!found.pearson) {
    evaluation.notes.emplace_back(
        "no correlation: all gold values or all predicted values are equal");
  }
}

}  // namespace

std::vector<std::string> measured_names(const LabelSet& labels, const Evaluation& evaluation) {
  std::vector<std::string> names = labels.names;
  names.insert(names.end(), evaluation.unknown_labels.begin(), evaluation.unknown_labels.end());
  return names;
}

std::vector<std::size_t> given_labels(const LabelSet& labels, const Prediction& prediction) {
  if (labels.problem_type == ProblemType::single_label) return {prediction.best};
  std::vector<std::size_t> given;
  for (std::size_t i = 0; i < prediction.scores.size(); ++i) {
    if (prediction.scores[i] >= labels.threshold(i)) given.push_back(i);
  }
  return given;
}

Gold nearest_gold(const LabelSet& labels, const Gold& gold, const Prediction& prediction) {
  const bool is_single = labels.problem_type == ProblemType::single_label;
  if (!is_single || gold.labels.size() + gold.unknown.size() < 2) return gold;
  if (gold.labels.empty()) return {{}, 0.0, {gold.unknown.front()}};
  const bool is_given = std::ranges::binary_search(gold.labels, prediction.best);
  return {{is_given ? prediction.best : gold.labels.front()}, 0.0, {}};
}

std::optional<double> wrongness(const LabelSet& labels, const Gold& gold,
                                const Prediction& prediction) {
  if (labels.problem_type == ProblemType::multi_label) {
    return surest_mistake(labels, gold, prediction);
  }
  if (labels.problem_type == ProblemType::regression) {
    const double off = std::abs(prediction.scores.front() - gold.value);
    return off > 0.0 ? std::optional<double>(off) : std::nullopt;
  }
  if (std::ranges::binary_search(gold.labels, prediction.best)) return std::nullopt;
  const auto& sure = prediction.scores.empty() ? prediction.logits : prediction.scores;
  return sure[prediction.best];
}

double row_loss(const LabelSet& labels, const Gold& gold, const Prediction& prediction) {
  if (labels.problem_type == ProblemType::regression) {
    const double off = prediction.scores.front() - gold.value;
    return off * off;
  }
  if (prediction.scores.empty()) return 0.0;
  const ScoreTable row{labels.names.size(), prediction.scores};
  if (labels.problem_type == ProblemType::multi_label) {
    return log_loss(row, flags_of(gold.labels, labels.names.size()));
  }
  return log_loss(row, gold.labels);
}

Evaluator::Evaluator(LabelSet labels, bool keep_logits)
    : labels_(std::move(labels)),
      keep_logits_(keep_logits),
      confusion_(labels_.problem_type == ProblemType::single_label ? labels_.names.size() : 0),
      counts_(labels_.names.size()) {
  scores_.labels = logits_.labels = labels_.names.size();
}

void Evaluator::add(const Gold& gold, const Prediction& prediction) {
  count_ranked(gold, prediction);
  const Gold nearest = nearest_gold(labels_, gold, prediction);
  if (nearest.labels != gold.labels || nearest.unknown != gold.unknown) ++several_rows_;
  ++rows_;
  read_.add(prediction);
  texts_.push_back(prediction.key != 0 ? prediction.key : rows_);
  std::vector<std::size_t> right = nearest.labels;
  for (const std::string& label : nearest.unknown) right.push_back(number_of_unknown(label));
  if (labels_.problem_type == ProblemType::single_label) {
    confusion_.add(right.front(), prediction.best);
  } else if (labels_.problem_type == ProblemType::multi_label) {
    const std::size_t all = labels_.names.size() + unknown_.size();
    counts_.add(flags_of(right, all), flags_of(given_labels(labels_, prediction), all));
  }
  if (!nearest.unknown.empty()) {
    ++unknown_rows_;
    return;
  }
  gold_.push_back(nearest);
  if (keep_logits_) logits_.add(prediction.logits);
  if (labels_.problem_type == ProblemType::regression) {
    values_.push_back(prediction.scores.front());
    return;
  }
  scores_.add(prediction.scores);
  if (labels_.problem_type == ProblemType::single_label && labels_.probabilities) {
    verdicts_.push_back({prediction.scores[prediction.best], prediction.best == right.front()});
  }
}

void Evaluator::rank_at(const std::vector<std::size_t>& ks) {
  for (const std::size_t k : ks) at_.try_emplace(k);
}

void Evaluator::count_ranked(const Gold& gold, const Prediction& prediction) {
  const std::size_t labels = gold.labels.size() + gold.unknown.size();
  if (at_.empty() || labels == 0) return;
  asked_ += labels;
  const auto ranked = ranked_labels(prediction, std::nullopt, at_.rbegin()->first);
  for (auto& [k, counts] : at_) {
    const std::size_t given = std::min(k, ranked.size());
    counts.given += given;
    for (std::size_t i = 0; i < given; ++i) {
      if (std::ranges::binary_search(gold.labels, ranked[i])) ++counts.right;
    }
  }
}

std::size_t Evaluator::number_of_unknown(const std::string& label) {
  return unknown_.try_emplace(label, labels_.names.size() + unknown_.size()).first->second;
}

Evaluation Evaluator::measure() const {
  Evaluation evaluation;
  evaluation.rows = rows_ + errors_;
  evaluation.errors = errors_;
  evaluation.unknown_label_rows = unknown_rows_;
  evaluation.read = read_;
  evaluation.unknown_labels.resize(unknown_.size());
  for (const auto& [label, number] : unknown_) {
    evaluation.unknown_labels[number - labels_.names.size()] = label;
  }
  if (rows_ == 0) return evaluation;
  const auto share = [](std::size_t part, std::size_t all) {
    return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
  };
  if (several_rows_ > 0) {
    evaluation.notes.push_back(counted(several_rows_, "row") +
                               " with several labels: a verdict is right that is one of them");
  }
  for (const auto& [k, counts] : at_) {
    evaluation.at.push_back({k, share(counts.right, counts.given), share(counts.right, asked_)});
  }
  if (labels_.problem_type == ProblemType::single_label) measure_single(evaluation);
  if (labels_.problem_type == ProblemType::multi_label) measure_multiple(evaluation);
  if (labels_.problem_type == ProblemType::regression) {
    std::vector<double> gold;
    for (const Gold& row : gold_) gold.push_back(row.value);
    add_regression(regression_measures(values_, gold), evaluation);
  }
  return evaluation;
}

void Evaluator::measure_single(Evaluation& evaluation) const {
  std::vector<Measure>& measures = evaluation.measures;
  const std::size_t right = confusion_.right();
  measures.push_back({"accuracy", "accuracy",
                      static_cast<double>(right) / static_cast<double>(rows_),
                      proportion_interval(right, rows_, distinct()), Unit::share});
  evaluation.confusion = confusion_;
  describe_labels(labels_, confusion_.counts(), AveragedLabels::seen, evaluation);
  if (!labels_.probabilities || gold_.empty()) return;
  const auto gold = numbers();
  Mean loss = mean_of(log_losses(scores_, gold));
  count_once(loss.interval, rows_, distinct());
  measures.push_back({"log_loss", "log loss", loss.value, loss.interval});
  measures.push_back({"brier", "Brier score", brier_score(scores_, gold)});
  evaluation.calibration = calibration_bins(verdicts_);
  measures.push_back(
      {"ece", "calibration error (ECE)", expected_calibration_error(evaluation.calibration)});
  evaluation.coverage = coverage_points(verdicts_);
  add_roc_area(roc_area(scores_, gold), evaluation);
}

void Evaluator::measure_multiple(Evaluation& evaluation) const {
  std::vector<Measure>& measures = evaluation.measures;
  measures.push_back({"subset_accuracy", "subset accuracy", counts_.subset_accuracy(),
                      proportion_interval(counts_.right_rows(), rows_, distinct()), Unit::share});
  measures.push_back({"hamming_loss", "Hamming loss", counts_.hamming_loss()});
  describe_labels(labels_, counts_.counts(), AveragedLabels::all, evaluation);
  if (gold_.empty()) return;
  const auto gold = flags();
  measures.push_back({"log_loss", "log loss", log_loss(scores_, gold)});
  add_roc_area(roc_area(scores_, gold), evaluation);
}

std::optional<TemperatureFit> Evaluator::fit_temperature(ScoreActivation activation) const {
  if (activation == ScoreActivation::softmax) {
    return headlight::fit_temperature(logits_, numbers());
  }
  return headlight::fit_temperature(logits_, flags());
}

std::vector<std::optional<ThresholdFit>> Evaluator::fit_thresholds(
    std::optional<double> temperature) const {
  ScoreTable scores = scores_;
  if (temperature) {
    scores.values.clear();
    for (std::size_t row = 0; row < logits_.rows(); ++row) {
      scores.add(activate_scores(ScoreActivation::sigmoid, logits_.row(row), *temperature));
    }
  }
  std::vector<std::optional<ThresholdFit>> fits;
  std::vector<bool> gold(gold_.size());
  for (std::size_t label = 0; label < scores.labels; ++label) {
    for (std::size_t row = 0; row < gold_.size(); ++row) {
      const auto& labels = gold_[row].labels;
      gold[row] = std::binary_search(labels.begin(), labels.end(), label);
    }
    fits.push_back(fit_threshold(scores.column(label), gold));
  }
  return fits;
}

/// One flag per score.
std::vector<bool> Evaluator::flags() const {
  std::vector<bool> flags;
  flags.reserve(gold_.size() * labels_.names.size());
  for (const Gold& gold : gold_) {
    const auto row = flags_of(gold.labels, labels_.names.size());
    flags.insert(flags.end(), row.begin(), row.end());
  }
  return flags;
}

/// The gold label of each row (single-label models).
std::vector<std::size_t> Evaluator::numbers() const {
  std::vector<std::size_t> numbers;
  numbers.reserve(gold_.size());
  for (const Gold& gold : gold_) numbers.push_back(gold.labels.front());
  return numbers;
}

}  // namespace headlight
