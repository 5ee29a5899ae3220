#include "classifier/prediction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {

ScoreActivation default_activation(const Description& model) {
  if (model.pooling == Pooling::each_token) return ScoreActivation::softmax;
  return model.score_activation.value_or(
      activation_of_problem(model.problem_type, model.classes()));
}

ScoreActivation activation_of_problem(ProblemType problem, std::size_t labels) {
  switch (problem) {
    case ProblemType::regression:
      return ScoreActivation::none;
    case ProblemType::multi_label:
      return ScoreActivation::sigmoid;
    case ProblemType::single_label:
      break;
  }
  return labels == 1 ? ScoreActivation::sigmoid : ScoreActivation::softmax;
}

std::vector<float> activate_scores(ScoreActivation activation, std::span<const float> logits,
                                   double temperature) {
  std::vector<double> scores(logits.begin(), logits.end());
  for (double& score : scores) score /= temperature;
  if (activation == ScoreActivation::softmax) {
    const double top = *std::max_element(scores.begin(), scores.end());
    for (double& score : scores) score = std::exp(score - top);
    const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
    for (double& score : scores) score /= sum;
  } else if (activation != ScoreActivation::none) {
    for (double& score : scores) score = 1.0 / (1.0 + std::exp(-score));
  }
  if (activation == ScoreActivation::sigmoid_share) {
    const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
    const double equal = 1.0 / static_cast<double>(scores.size());
    for (double& score : scores) score = sum == 0.0 ? equal : score / sum;
  }
  return {scores.begin(), scores.end()};
}

double entropy_of(const LabelSet& labels, std::span<const float> probabilities) {
  const auto part = [](double p) { return p > 0.0 ? -p * std::log(p) : 0.0; };
  const bool alone = labels.problem_type == ProblemType::multi_label || probabilities.size() == 1;
  double sum = 0.0;
  for (const float probability : probabilities) {
    const auto p = static_cast<double>(probability);
    sum += part(p) + (alone ? part(1.0 - p) : 0.0);
  }
  return sum;
}

std::vector<std::size_t> ranked_labels(const Prediction& prediction, std::optional<float> threshold,
                                       std::optional<std::size_t> most) {
  if (prediction.no_label) return {};
  std::vector<std::size_t> order = prediction.ranked;
  if (!most || *most > prediction.ranked_for) {
    order.resize(prediction.logits.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto score = [&](std::size_t label) {
      return prediction.scores.empty() ? 0.0F : prediction.scores[label];
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (score(a) != score(b)) return score(a) > score(b);
      return prediction.logits[a] > prediction.logits[b];
    });
  }
  if (threshold) {
    std::erase_if(order, [&](std::size_t label) { return prediction.scores[label] < *threshold; });
  }
  if (most && order.size() > *most) order.resize(*most);
  return order;
}

}  // namespace headlight
