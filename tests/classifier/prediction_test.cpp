#include "classifier/prediction.h"

#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "close_to.h"

namespace headlight::prediction_test {
namespace {

TEST_CASE("logits become scores without overflow, however large they are") {
  using Act = ScoreActivation;
  struct Row {
    ScoreActivation activation;
    std::vector<float> logits;
    std::vector<double> scores;
  };
  const Row rows[] = {
      {Act::softmax, {-1e4F, 0.0F}, {0.0, 1.0}},
      {Act::softmax, {1e4F, -1e4F}, {1.0, 0.0}},
      {Act::softmax, {1e38F, 1e38F}, {0.5, 0.5}},
      {Act::softmax, {3.0F, 3.0F, 3.0F, 3.0F}, {0.25, 0.25, 0.25, 0.25}},
      {Act::softmax, {0.0F, 1.0F}, {0.2689414213699951, 0.7310585786300049}},
      {Act::softmax, {-7.0F}, {1.0}},
      {Act::sigmoid, {-1e4F, 0.0F, 1e4F}, {0.0, 0.5, 1.0}},
      {Act::sigmoid, {2.0F}, {0.8807970779778823}},
      {Act::sigmoid, {-80.0F}, {1.8048513878454153e-35}},
      {Act::none, {-1e4F, 0.125F}, {-1e4, 0.125}},
  };
  for (const auto& [activation, logits, scores] : rows) {
    CHECK(close_to(activate_scores(activation, logits), scores, {.relative = 1e-7}));
  }
}

TEST_CASE("a temperature divides the logits before the activation") {
  using Act = ScoreActivation;
  for (const Act activation : {Act::softmax, Act::sigmoid}) {
    CHECK(activate_scores(activation, std::vector{3.0F, -5.0F, 0.5F}, 2.0) ==
          activate_scores(activation, std::vector{1.5F, -2.5F, 0.25F}));
  }
  const auto scores = activate_scores(Act::softmax, std::vector{3e38F, -3e38F}, 0.001);
  CHECK(scores == std::vector{1.0F, 0.0F});
}

TEST_CASE("the scores of a thousand classes sum to 1") {
  std::vector<float> logits(1000);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>(i % 97) * 0.1F;
  const auto scores = activate_scores(ScoreActivation::softmax, logits);
  CHECK(std::abs(std::accumulate(scores.begin(), scores.end(), 0.0) - 1.0) <= 1e-6);
}

TEST_CASE("the activation follows from the problem and the number of labels") {
  struct Row {
    ProblemType type;
    std::vector<std::string> labels;
    ScoreActivation activation;
  };
  const Row rows[] = {
      {ProblemType::single_label, {"a", "b"}, ScoreActivation::softmax},
      {ProblemType::single_label, {"a"}, ScoreActivation::sigmoid},
      {ProblemType::multi_label, {"a", "b"}, ScoreActivation::sigmoid},
      {ProblemType::regression, {"a"}, ScoreActivation::none},
      {ProblemType::regression, {"a", "b"}, ScoreActivation::none},
  };
  for (const auto& [type, labels, activation] : rows) {
    Description model;
    model.problem_type = type;
    model.labels = labels;
    CHECK(default_activation(model) == activation);
  }
}

TEST_CASE("labels are ranked by score, then logit, then number, cut by threshold and count") {
  Prediction prediction;
  prediction.logits = {1.0F, 3.0F, 1.0F, 2.0F};
  prediction.scores = {0.1F, 0.5F, 0.1F, 0.3F};
  struct Row {
    std::optional<float> threshold;
    std::optional<std::size_t> most;
    std::vector<std::size_t> labels;
  };
  const Row rows[] = {
      {{}, {}, {1, 3, 0, 2}}, {{}, 3, {1, 3, 0}}, {{}, 9, {1, 3, 0, 2}}, {0.1F, {}, {1, 3, 0, 2}},
      {0.3F, {}, {1, 3}},     {0.3F, 1, {1}},     {0.6F, {}, {}},        {0.0F, 4, {1, 3, 0, 2}},
  };
  for (const auto& [threshold, most, labels] : rows) {
    CHECK(ranked_labels(prediction, threshold, most) == labels);
  }
  prediction.scores = {0.5F, 0.5F, 0.5F, 0.75F};
  CHECK(ranked_labels(prediction, std::nullopt, std::nullopt) ==
        std::vector<std::size_t>{3, 1, 0, 2});
  prediction.scores.clear();
  prediction.logits.assign(100, 1.0F);
  std::vector<std::size_t> all(100);
  std::iota(all.begin(), all.end(), std::size_t{0});
  CHECK(ranked_labels(prediction, std::nullopt, std::nullopt) == all);
}

TEST_CASE("a model may order the first labels itself, and give none") {
  Prediction prediction;
  prediction.logits = {1.0F, 3.0F, 1.0F, 2.0F};
  prediction.scores = {0.1F, 0.5F, 0.1F, 0.3F};
  prediction.ranked = {1, 3, 2};
  prediction.ranked_for = 3;
  const auto ranked = [&](std::optional<float> threshold, std::optional<std::size_t> most) {
    return ranked_labels(prediction, threshold, most);
  };
  using Labels = std::vector<std::size_t>;
  CHECK(ranked({}, 3) == Labels{1, 3, 2});
  CHECK(ranked({}, 1) == Labels{1});
  CHECK(ranked(0.3F, 3) == Labels{1, 3});
  CHECK(ranked({}, 4) == Labels{1, 3, 0, 2});
  CHECK(ranked({}, {}) == Labels{1, 3, 0, 2});
  prediction.no_label = true;
  CHECK(ranked({}, 3).empty());
}

}  // namespace
}  // namespace headlight::prediction_test
