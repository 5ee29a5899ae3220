#include "training/head/head_figures.h"

#include <algorithm>
#include <cstddef>

#include "classifier/prediction.h"

namespace headlight {

DevelopmentFigures development_figures(const LabelNames& labels, const std::vector<float>& logits,
                                       std::span<const RowTarget> targets,
                                       std::span<const std::uint64_t> keys) {
  Description model;
  model.labels = labels.names;
  model.problem_type = labels.problem_type;
  const ScoreActivation activation = default_activation(model);
  DevelopmentFigures figures;
  figures.labels.names = labels.names;
  figures.labels.problem_type = labels.problem_type;
  figures.labels.probabilities = activation != ScoreActivation::none;
  const auto evaluator_at = [&](double temperature) {
    Evaluator evaluator(figures.labels, /*keep_logits=*/true);
    const auto c = static_cast<std::ptrdiff_t>(labels.names.size());
    auto next = logits.begin();
    for (std::size_t i = 0; i < targets.size(); ++i, next += c) {
      Prediction prediction;
      prediction.logits.assign(next, next + c);
      prediction.scores = activate_scores(activation, prediction.logits, temperature);
      prediction.best = static_cast<std::size_t>(std::max_element(next, next + c) - next);
      prediction.key = keys[i];
      evaluator.add({targets[i].labels, static_cast<double>(targets[i].value)}, prediction);
    }
    return evaluator;
  };
  const Evaluator plain = evaluator_at(1.0);
  if (activation != ScoreActivation::none) figures.temperature = plain.fit_temperature(activation);
  figures.evaluation = figures.temperature
                           ? evaluator_at(figures.temperature->temperature).measure()
                           : plain.measure();
  return figures;
}

}  // namespace headlight
