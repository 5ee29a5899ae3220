// What a file's rows come to together: which measures there are, and which there cannot be.
#include "metrics/evaluation.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::evaluation_test {
namespace {

Prediction prediction_of(const LabelSet& labels, const std::vector<float>& logits,
                         ScoreActivation activation) {
  Prediction prediction;
  prediction.logits = logits;
  if (labels.probabilities) prediction.scores = activate_scores(activation, logits);
  for (std::size_t i = 1; i < logits.size(); ++i) {
    if (logits[i] > logits[prediction.best]) prediction.best = i;
  }
  return prediction;
}

const LabelSet kSingle = {{"no", "yes", "maybe"}, ProblemType::single_label, true, {}};
const LabelSet kMulti = {{"x", "y"}, ProblemType::multi_label, true, {0.5F, 0.9F}};
const LabelSet kValue = {{"stars"}, ProblemType::regression, true, {}};

TEST_CASE("one label a row: what has no denominator is said") {
  Evaluator evaluator(kSingle, false);
  const auto softmax = ScoreActivation::softmax;
  evaluator.add({{0}, 0}, prediction_of(kSingle, {2, 0, -9}, softmax));
  evaluator.add({{0}, 0}, prediction_of(kSingle, {2, 0, -9}, softmax));
  evaluator.add({{1}, 0}, prediction_of(kSingle, {2, 0, -9}, softmax));
  evaluator.add_error();
  const Evaluation found = evaluator.measure();
  CHECK(found.rows == 4);
  CHECK(found.errors == 1);
  CHECK(found.find("accuracy")->value == doctest::Approx(2.0 / 3.0));
  CHECK(found.labels[0].precision == doctest::Approx(2.0 / 3.0));
  CHECK(found.find("macro_f1")->value == doctest::Approx(0.4));  // "maybe" is in none of them
  CHECK(found.confusion->at(1, 0) == 1);
  CHECK(found.notes ==
        std::vector<std::string>{"label never predicted; precision set to 0: yes, maybe",
                                 "no rows with this label; recall set to 0: maybe"});
}

TEST_CASE("precision and recall of the k best labels, as fastText counts them") {
  const LabelSet labels = {{"x", "y", "z"}, ProblemType::multi_label, true, {}};
  Evaluator evaluator(labels, false);
  evaluator.rank_at({5, 1, 2});
  const auto row = [&](const Gold& gold, const std::vector<float>& logits) {
    evaluator.add(gold, prediction_of(labels, logits, ScoreActivation::sigmoid));
  };
  row({{0, 2}, 0}, {3, 2, 1});      // right: 1 of 1, 1 of 2, 2 of 3
  row({{1}, 0, {"w"}}, {3, 2, 1});  // 0, 1, 1; of two labels, one of which no model has
  row({{}, 0}, {3, 2, 1});          // has no labels, so it is not among them
  const Evaluation found = evaluator.measure();
  REQUIRE(found.at.size() == 3);
  const std::size_t ks[] = {1, 2, 5};
  const double right[] = {1, 2, 3};
  const double given[] = {2, 4, 6};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(found.at[i].k == ks[i]);
    CHECK(found.at[i].precision == doctest::Approx(right[i] / given[i]));
    CHECK(found.at[i].recall == doctest::Approx(right[i] / 4));
  }
}

TEST_CASE("labels that the model lacks are scikit-learn's misses, in rows of several labels too") {
  const LabelSet labels = {{"x", "y"}, ProblemType::multi_label, true, {}};
  Evaluator evaluator(labels, true);
  const auto row = [&](const Gold& gold, float x, float y) {
    evaluator.add(gold, prediction_of(labels, {x, y}, ScoreActivation::sigmoid));
  };
  row({{0}, 0}, 1, -1);
  row({{1}, 0}, 1, 1);
  row({{0}, 0, {"w"}}, 1, -1);
  row({{}, 0}, -1, -1);
  row({{}, 0, {"v"}}, -1, -1);
  const Evaluation found = evaluator.measure();
  CHECK(found.unknown_label_rows == 2);
  CHECK(found.unknown_labels == std::vector<std::string>{"w", "v"});
  // scikit-learn 1.9.1, with a column for each of x, y, w, v: accuracy_score, hamming_loss,
  // f1_score
  CHECK(found.find("subset_accuracy")->value == doctest::Approx(0.4));
  CHECK(found.find("hamming_loss")->value == doctest::Approx(0.15));
  CHECK(found.find("macro_f1")->value == doctest::Approx(0.45));
  CHECK(found.find("micro_f1")->value == doctest::Approx(0.6666666666666666));
  CHECK(found.find("weighted_f1")->value == doctest::Approx(0.52));
  CHECK(found.labels[2].support == 1);
  CHECK(wrongness(labels, {{0}, 0, {"w"}},
                  prediction_of(labels, {1, -1}, ScoreActivation::sigmoid)) == 1.0);
  Evaluator known(labels, true);
  known.add({{0}, 0}, prediction_of(labels, {1, -1}, ScoreActivation::sigmoid));
  known.add({{1}, 0}, prediction_of(labels, {1, 1}, ScoreActivation::sigmoid));
  known.add({{}, 0}, prediction_of(labels, {-1, -1}, ScoreActivation::sigmoid));
  CHECK(found.find("log_loss")->value == known.measure().find("log_loss")->value);
  CHECK(evaluator.fit_thresholds(std::nullopt)[0]->threshold ==
        known.fit_thresholds(std::nullopt)[0]->threshold);
}

TEST_CASE("rows of one kind alone have no area under the curve, and no rows nothing at all") {
  Evaluator evaluator(kSingle, false);
  CHECK(evaluator.measure().find("accuracy") == nullptr);
  CHECK(evaluator.measure().labels.empty());
  evaluator.add({{0}, 0}, prediction_of(kSingle, {2, 0, -9}, ScoreActivation::softmax));
  CHECK(evaluator.measure().find("auc") == nullptr);
  CHECK(evaluator.measure().notes.back() ==
        "no area under the ROC curve: all rows have the same gold labels");
}

TEST_CASE("without probabilities there is what can be counted") {
  LabelSet labels = kSingle;
  labels.probabilities = false;
  Evaluator evaluator(labels, false);
  evaluator.add({{0}, 0}, prediction_of(labels, {2, 0, -9}, ScoreActivation::none));
  const Evaluation found = evaluator.measure();
  CHECK(found.find("accuracy")->value == 1.0);
  CHECK(found.find("log_loss") == nullptr);
  CHECK(found.find("ece") == nullptr);
  CHECK(found.calibration.empty());
  CHECK(found.coverage.empty());
}

TEST_CASE("any number of labels: each has its own threshold") {
  Evaluator evaluator(kMulti, true);
  const auto sigmoid = ScoreActivation::sigmoid;
  evaluator.add({{0, 1}, 0}, prediction_of(kMulti, {2, 2}, sigmoid));  // 0.88: x alone
  evaluator.add({{1}, 0}, prediction_of(kMulti, {-2, 3}, sigmoid));    // 0.95: y
  evaluator.add({{}, 0}, prediction_of(kMulti, {-2, 1}, sigmoid));
  const Evaluation found = evaluator.measure();
  CHECK(found.find("subset_accuracy")->value == doctest::Approx(2.0 / 3.0));
  CHECK(found.find("hamming_loss")->value == doctest::Approx(1.0 / 6.0));
  CHECK(found.labels[1].recall == 0.5);
  CHECK(found.find("accuracy") == nullptr);
  const auto fits = evaluator.fit_thresholds(std::nullopt);
  CHECK(fits[1]->threshold == activate_scores(sigmoid, std::vector{2.0F})[0]);
  CHECK(fits[1]->f1 == 1.0);
  const auto cooler = evaluator.fit_thresholds(2.0);
  CHECK(cooler[1]->threshold == activate_scores(sigmoid, std::vector{1.0F})[0]);
}

TEST_CASE("a wrong verdict is as wrong as it is sure, a right one not at all") {
  const auto single = [](std::size_t gold) {
    return wrongness(kSingle, {{gold}, 0},
                     prediction_of(kSingle, {2, 0, 0}, ScoreActivation::softmax));
  };
  CHECK_FALSE(single(0).has_value());
  CHECK(single(1) == doctest::Approx(0.787).epsilon(0.001));
  const auto multi = [](const std::vector<std::size_t>& gold) {
    return wrongness(kMulti, {gold, 0}, prediction_of(kMulti, {2, -2}, ScoreActivation::sigmoid));
  };
  CHECK_FALSE(multi({0}).has_value());
  CHECK(multi({0, 1}) == doctest::Approx(0.881).epsilon(0.001));
  CHECK(multi({}) == doctest::Approx(0.881).epsilon(0.001));
  Prediction value;
  value.scores = {3.5F};
  CHECK(wrongness(kValue, {{}, 5.0}, value) == 1.5);
  CHECK_FALSE(wrongness(kValue, {{}, 3.5}, value).has_value());
}

}  // namespace
}  // namespace headlight::evaluation_test
