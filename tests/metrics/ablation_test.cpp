// What a part is worth: exact sums of a few rows, and intervals against the bootstrap.
#include "metrics/ablation.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::ablation_test {
namespace {

const LabelSet kTwo = {{"no", "yes"}, ProblemType::single_label, true, {}};

Prediction predicted(float first, float second) {
  Prediction prediction;
  prediction.logits = {first, second};
  prediction.scores = activate_scores(ScoreActivation::softmax, prediction.logits);
  prediction.best = second > first ? 1 : 0;
  return prediction;
}

double loss_of(const Prediction& prediction, std::size_t gold) {
  return -std::log(static_cast<double>(prediction.scores[gold]));
}

const Measure& change_of(const PartEffect& effect, std::string_view field) {
  const Measure* change = find_measure(effect.changes, field);
  REQUIRE(change != nullptr);
  return *change;
}

TEST_CASE("changes are those of the rows, for each part alone") {
  const std::vector<Part> parts = {{PartKind::head, 0, 0}, {PartKind::head, 0, 1}};
  AblationSums sums(kTwo, parts);
  const Prediction yes = predicted(0, 2);
  const Prediction no = predicted(1, 0);
  sums.add({{1}, 0}, yes, {yes, no});  // the second is lost
  sums.add({{1}, 0}, no, {no, yes});   // the second is gained
  sums.add({{0}, 0}, yes, {yes, no});  // the second is gained
  sums.add({{0}, 0}, no, {no, no});
  const Ablation found = sums.measure();
  REQUIRE(found.effects.size() == 2);
  const PartEffect& same = found.effects[0];
  CHECK(change_of(same, "accuracy_change").value == 0.0);
  CHECK(change_of(same, "log_loss_change").value == 0.0);
  CHECK(same.verdicts_changed == 0);
  CHECK(same.logit_change == 0.0);
  const PartEffect& other = found.effects[1];
  CHECK(other.rows == 4);
  CHECK(change_of(other, "accuracy_change").value == doctest::Approx(0.25));
  CHECK(other.verdicts_changed == 3);
  CHECK(other.logit_change == doctest::Approx(3 * 1.5 / 4));
  const double expected = (loss_of(no, 1) - loss_of(yes, 1) + loss_of(yes, 1) - loss_of(no, 1) +
                           loss_of(no, 0) - loss_of(yes, 0)) /
                          4;
  CHECK(change_of(other, "log_loss_change").value == doctest::Approx(expected).epsilon(1e-6));
}

TEST_CASE("multi-label rows are correct with all labels, and values have squared errors") {
  const LabelSet multi = {{"x", "y"}, ProblemType::multi_label, true, {0.5F, 0.5F}};
  Prediction both;
  both.logits = {1, 1};
  both.scores = {0.75F, 0.75F};
  Prediction one = both;
  one.logits = {1, -1};
  one.scores = {0.75F, 0.25F};
  AblationSums sums(multi, {{PartKind::layer, 1, 0}});
  sums.add({{0, 1}, 0}, both, {one});
  const PartEffect effect = sums.measure().effects.front();
  CHECK(change_of(effect, "accuracy_change").value == -1.0);
  CHECK(effect.verdicts_changed == 1);
  CHECK(effect.logit_change == 1.0);
  CHECK(change_of(effect, "log_loss_change").value ==
        doctest::Approx((std::log(0.75) - std::log(0.25)) / 2));
  AblationSums values({{"stars"}, ProblemType::regression, true, {}}, {{PartKind::layer, 0, 0}});
  Prediction three;
  three.logits = three.scores = {3};
  Prediction five = three;
  five.logits = five.scores = {5};
  values.add({{}, 2.0}, three, {five});
  const PartEffect value = values.measure().effects.front();
  CHECK(change_of(value, "mse_change").value == 8.0);
  CHECK(value.changes.size() == 1);
  CHECK(value.logit_change == 2.0);
}

TEST_CASE("the intervals of paired changes are those of the bootstrap") {
  constexpr std::size_t kRows = 300;
  std::mt19937 random(11);
  std::normal_distribution<float> noise(0.0F, 1.0F);
  AblationSums sums(kTwo, {{PartKind::head, 0, 0}});
  std::vector<double> losses;
  std::vector<double> rights;
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::size_t gold = i % 2;
    const float lean = gold == 1 ? 1.0F : -1.0F;
    const Prediction whole = predicted(0, lean + noise(random));
    const Prediction without = predicted(0, 0.3F * lean + noise(random));
    sums.add({{gold}, 0}, whole, {without});
    losses.push_back(loss_of(without, gold) - loss_of(whole, gold));
    rights.push_back((without.best == gold ? 1.0 : 0.0) - (whole.best == gold ? 1.0 : 0.0));
  }
  const auto check = [&](const std::vector<double>& changes, const Interval& found) {
    std::uniform_int_distribution<std::size_t> any(0, kRows - 1);
    std::vector<double> means(4000, 0.0);
    for (double& mean : means) {
      for (std::size_t i = 0; i < kRows; ++i) mean += changes[any(random)] / kRows;
    }
    std::ranges::sort(means);
    const double width = means[3899] - means[100];
    CHECK(std::abs(found.low - means[100]) < 0.08 * width);
    CHECK(std::abs(found.high - means[3899]) < 0.08 * width);
  };
  const PartEffect effect = sums.measure().effects.front();
  check(losses, *change_of(effect, "log_loss_change").interval);
  check(rights, *change_of(effect, "accuracy_change").interval);
}

}  // namespace
}  // namespace headlight::ablation_test
