// Slices of a file and two models on the same rows: exact counts, SciPy's test, and intervals
// against the bootstrap.
#include "metrics/comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "metrics/slices.h"

namespace headlight::comparison_test {
namespace {

const LabelSet kTwo = {{"no", "yes"}, ProblemType::single_label, true, {}};
const LabelSet kTurned = {{"yes", "no"}, ProblemType::single_label, true, {}};

/// A prediction of label `best` out of two.
Prediction verdict(std::size_t best, float sure = 0.75F) {
  Prediction prediction;
  prediction.best = best;
  prediction.logits = best == 0 ? std::vector<float>{1, 0} : std::vector<float>{0, 1};
  prediction.scores =
      best == 0 ? std::vector<float>{sure, 1 - sure} : std::vector<float>{1 - sure, sure};
  prediction.tokens = 5;
  return prediction;
}

Row row_of(const std::string& id, const std::vector<KeptField>& kept = {}) {
  Row row;
  row.id.text = id;
  row.input.text = "text " + id;
  row.kept = kept;
  return row;
}

Gold gold_of(std::size_t label) { return {{label}, 0.0}; }

/// The 2.5 % and 97.5 % points of `statistic` over samples of 0 … n − 1 with replacement.
Interval bootstrap(std::size_t n,
                   const std::function<double(const std::vector<std::size_t>&)>& statistic) {
  std::mt19937 random(7);
  std::uniform_int_distribution<std::size_t> any(0, n - 1);
  std::vector<double> found(4000);
  std::vector<std::size_t> sample(n);
  for (double& each : found) {
    for (std::size_t& i : sample) i = any(random);
    each = statistic(sample);
  }
  std::ranges::sort(found);
  return {found[100], found[3899]};
}

TEST_CASE("the exact test of McNemar is SciPy's binomial test") {
  struct Case {
    std::size_t first;
    std::size_t second;
    double p;
  };
  const Case cases[] = {{0, 0, 1.0},
                        {0, 1, 1.0},
                        {3, 10, 0.09228515625},
                        {25, 25, 1.0},
                        {60, 90, 0.017597691928785828},
                        {1000, 1100, 0.03072070786424249},
                        {0, 20, 1.9073486328125e-06}};
  for (const auto& [first, second, p] : cases) {
    CHECK(exact_mcnemar(first, second) == doctest::Approx(p).epsilon(1e-9));
    CHECK(exact_mcnemar(second, first) == exact_mcnemar(first, second));
  }
}

TEST_CASE("the interval of a mean is that of the bootstrap") {
  std::mt19937 random(3);
  std::exponential_distribution<double> skewed(0.5);
  std::vector<double> values(400);
  for (double& value : values) value = skewed(random);
  const Interval found = mean_of(values).interval.value();
  const Interval expected = bootstrap(values.size(), [&](const auto& sample) {
    double sum = 0.0;
    for (const std::size_t i : sample) sum += values[i];
    return sum / static_cast<double>(sample.size());
  });
  const double width = expected.high - expected.low;
  CHECK(std::abs(found.low - expected.low) < 0.08 * width);
  CHECK(std::abs(found.high - expected.high) < 0.08 * width);
}

TEST_CASE("the interval of a paired change is that of the bootstrap, and is never a point") {
  constexpr std::size_t kRows = 500;
  std::vector<double> change(kRows, 0.0);  // 40 gained, 25 lost
  std::fill_n(change.begin(), 40, 1.0);
  std::fill_n(change.begin() + 40, 25, -1.0);
  const Interval found = paired_interval(40, 25, kRows).value();
  const Interval expected = bootstrap(kRows, [&](const auto& sample) {
    double sum = 0.0;
    for (const std::size_t i : sample) sum += change[i];
    return sum / kRows;
  });
  const double width = expected.high - expected.low;
  CHECK(std::abs(found.low - expected.low) < 0.08 * width);
  CHECK(std::abs(found.high - expected.high) < 0.08 * width);
  const Interval none = paired_interval(0, 0, kRows).value();
  CHECK(none.low < 0.0);
  CHECK(none.high == doctest::Approx(-none.low));
}

TEST_CASE("below 10 rows a mean and a change have no interval") {
  for (const std::size_t rows : {1, 2, 9, 10, 11}) {
    const std::vector<double> values(rows, 2.5);
    CHECK(mean_of(values).value == 2.5);
    CHECK(mean_of(values).interval.has_value() == (rows >= 10));
    CHECK(interval_of_mean({2.5, 1.0, rows}).has_value() == (rows >= 10));
    CHECK(paired_interval(1, 0, rows).has_value() == (rows >= 10));
  }
}

TEST_CASE("repeated rows widen the interval of a change, but not beyond all rows") {
  const Interval found = paired_interval(20, 0, 20, 10).value();
  CHECK(found.low < paired_interval(20, 0, 20).value().low);
  CHECK(found.high == 1.0);
  CHECK_FALSE(paired_interval(20, 0, 20, 9));
}

TEST_CASE("every row is in one of four counts, whatever the order of the labels") {
  ModelComparison comparison({"a", kTwo}, {"b", kTurned});
  // gold, first, second (in the numbers of the second: 0 is yes)
  comparison.add(row_of("0"), gold_of(1), verdict(1), verdict(0));  // both right
  comparison.add(row_of("1"), gold_of(1), verdict(1), verdict(1));  // only the first
  comparison.add(row_of("2"), gold_of(0), verdict(1), verdict(1));  // only the second
  comparison.add(row_of("3"), gold_of(0), verdict(1), verdict(1));  // only the second
  comparison.add(row_of("4"), gold_of(0), verdict(1), verdict(0));  // neither
  Prediction broken;
  broken.error = "is too long";
  comparison.add(row_of("5"), gold_of(0), verdict(0), broken);
  comparison.add_error();
  const Comparison found = comparison.measure();
  CHECK(found.both == 1);
  CHECK(found.first_only == 1);
  CHECK(found.second_only == 2);
  CHECK(found.neither == 1);
  CHECK(found.errors == 2);
  CHECK(found.agreeing == 2);
  CHECK(found.accuracy_change == doctest::Approx(0.2));
  CHECK(found.p_value == doctest::Approx(1.0));
  CHECK(found.second.find("accuracy")->value == doctest::Approx(3.0 / 5.0));
  CHECK(found.second.errors == 2);
  REQUIRE(found.disputed.size() == 3);
  CHECK(found.disputed[0].gold == "yes");
  CHECK(found.disputed[0].first == "yes");
  CHECK(found.disputed[0].second == "no");
  CHECK(found.disputed[1].id.text == "2");
  CHECK(found.disputed[1].gold == "no");
}

TEST_CASE("models with other labels, or with values, are not compared") {
  const LabelSet others = {{"no", "maybe"}, ProblemType::single_label, true, {}};
  const LabelSet more = {{"no", "yes", "maybe"}, ProblemType::single_label, true, {}};
  const LabelSet value = {{"stars"}, ProblemType::regression, true, {}};
  CHECK_THROWS_AS(ModelComparison({"a", kTwo}, {"b", others}), Error);
  CHECK_THROWS_AS(ModelComparison({"a", kTwo}, {"b", more}), Error);
  CHECK_THROWS_AS(ModelComparison({"a", value}, {"b", value}), Error);
}

TEST_CASE("slices have the measures of their rows alone, the worst first") {
  SliceEvaluator slices(kTwo, "shop");
  Evaluator alone(kTwo, false);
  const auto add = [&](const char* shop, std::size_t gold, std::size_t given) {
    slices.add(row_of("x", {{"shop", shop}}), gold_of(gold), verdict(given));
  };
  for (int i = 0; i < 3; ++i) add("good", 1, 1);
  for (const std::size_t given : {1, 1, 0, 0}) {
    add("bad", 1, given);
    alone.add(gold_of(1), verdict(given));
  }
  slices.add(row_of("y", {{"shop", std::nullopt}}), gold_of(0), verdict(0));
  slices.add(row_of("z", {{"other", "1"}}), gold_of(0), verdict(0));
  slices.add_error(row_of("e", {{"shop", "good"}}));
  slices.add_error(row_of("unreadable"));
  const Slices found = slices.measure("rows.jsonl");
  REQUIRE(found.slices.size() == 3);
  CHECK(found.slices[0].value == "bad");
  CHECK(found.slices[0].evaluation.find("accuracy")->value == 0.5);
  CHECK(found.slices[0].evaluation.find("log_loss")->value ==
        alone.measure().find("log_loss")->value);
  CHECK(found.slices[0].evaluation.find("accuracy")->interval->high ==
        alone.measure().find("accuracy")->interval->high);
  CHECK(found.slices[1].value == "good");  // larger than the next, and as good
  CHECK(found.slices[1].evaluation.rows == 4);
  CHECK(found.slices[1].evaluation.errors == 1);
  CHECK_FALSE(found.slices[2].value);
  CHECK(found.slices[2].evaluation.rows == 2);
}

TEST_CASE("slices by length double, and a field that no row has is refused") {
  SliceEvaluator lengths(kTwo, kByLength);
  for (const std::size_t tokens : {1, 8, 9, 16, 17, 32, 33}) {
    Prediction prediction = verdict(1);
    prediction.tokens = tokens;
    lengths.add(row_of("x"), gold_of(tokens > 16 ? 1 : 0), prediction);
  }
  std::vector<std::string> values;
  for (const Slice& slice : lengths.measure("f").slices) values.push_back(*slice.value);
  CHECK(values ==
        std::vector<std::string>{"1–8 tokens", "9–16 tokens", "17–32 tokens", "33–64 tokens"});
  SliceEvaluator missing(kTwo, "shop");
  missing.add(row_of("x", {{"other", "1"}}), gold_of(0), verdict(0));
  CHECK_THROWS_AS(missing.measure("f"), Error);
  SliceEvaluator ids(kTwo, "id");
  const auto add_all = [&] {
    for (std::size_t i = 0; i <= SliceEvaluator::kMostSlices; ++i) {
      ids.add(row_of("x", {{"id", std::to_string(i)}}), gold_of(0), verdict(0));
    }
  };
  CHECK_THROWS_AS(add_all(), Error);
}

}  // namespace
}  // namespace headlight::comparison_test
