#include "training/head_figures.h"

#include <algorithm>
#include <cstddef>

#include "classifier/prediction.h"

namespace headlight {
namespace {

/// The activation that a model with these labels has.
ScoreActivation activation_for(const LabelNames& labels) {
  Description description;
  description.labels = labels.names;
  description.problem_type = labels.problem_type;
  return default_activation(description);
}

LabelSet label_set(const LabelNames& labels) {
  LabelSet set;
  set.names = labels.names;
  set.problem_type = labels.problem_type;
  set.probabilities = activation_for(labels) != ScoreActivation::none;
  return set;
}

/// Adds all rows at a temperature.
Evaluator evaluator_at(double temperature, const LabelNames& labels,
                       const std::vector<float>& logits, std::span<const RowTarget> targets,
                       std::span<const std::uint64_t> keys) {
  const ScoreActivation activation = activation_for(labels);
  Evaluator evaluator(label_set(labels), /*keep_logits=*/true);
  const std::size_t c = labels.names.size();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    Prediction prediction;
    prediction.logits.assign(logits.begin() + static_cast<std::ptrdiff_t>(i * c),
                             logits.begin() + static_cast<std::ptrdiff_t>((i + 1) * c));
    prediction.scores = activate_scores(activation, prediction.logits, temperature);
    prediction.best = static_cast<std::size_t>(
        std::max_element(prediction.logits.begin(), prediction.logits.end()) -
        prediction.logits.begin());
    prediction.key = keys[i];
    Gold gold;
    gold.labels = targets[i].labels;
    gold.value = static_cast<double>(targets[i].value);
    evaluator.add(gold, prediction);
  }
  return evaluator;
}

}  // namespace

DevelopmentFigures development_figures(const LabelNames& labels, const std::vector<float>& logits,
                                       std::span<const RowTarget> targets,
                                       std::span<const std::uint64_t> keys) {
  DevelopmentFigures figures;
  const ScoreActivation activation = activation_for(labels);
  figures.labels = label_set(labels);
  const Evaluator plain = evaluator_at(1.0, labels, logits, targets, keys);
  if (activation != ScoreActivation::none) figures.temperature = plain.fit_temperature(activation);
  figures.evaluation =
      figures.temperature
          ? evaluator_at(figures.temperature->temperature, labels, logits, targets, keys).measure()
          : plain.measure();
  return figures;
}

}  // namespace headlight
