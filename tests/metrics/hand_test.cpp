// What has no denominator, no bound or no order, counted by hand.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "inside/attention_statistics.h"
#include "metrics/confidence.h"
#include "metrics/counts.h"
#include "metrics/fitting.h"
#include "metrics/score_measures.h"

namespace headlight::hand_test {
namespace {

TEST_CASE("a ratio without a denominator is 0") {
  struct Row {
    LabelCounts counts;
    double precision;
    double recall;
    double f1;
  };
  const Row rows[] = {
      {{0, 0, 0}, 0, 0, 0},       {{0, 0, 4}, 0, 0, 0},      {{0, 4, 0}, 0, 0, 0},
      {{4, 0, 0}, 1, 1, 1},       {{1, 3, 0}, 0.25, 1, 0.4}, {{1, 0, 3}, 1, 0.25, 0.4},
      {{2, 2, 2}, 0.5, 0.5, 0.5},
  };
  for (const auto& [counts, precision, recall, f1] : rows) {
    const LabelMeasures measures = measures_of(counts);
    CHECK(measures.precision == precision);
    CHECK(measures.recall == recall);
    CHECK(measures.f1 == f1);
  }
  const AverageF1 none = average_f1({}, AveragedLabels::seen);
  CHECK(none.macro == 0.0);
  CHECK(none.micro == 0.0);
  CHECK(none.weighted == 0.0);
}

TEST_CASE("macro F1 leaves out a label that was neither gold nor predicted, unless all are asked") {
  const std::vector<LabelCounts> counts = {{1, 0, 0}, {0, 0, 0}, {0, 1, 0}};
  CHECK(average_f1(counts, AveragedLabels::seen).macro == 0.5);
  CHECK(std::abs(average_f1(counts, AveragedLabels::all).macro - 1.0 / 3.0) < 1e-15);
}

TEST_CASE("equal values share the mean of their ranks") {
  CHECK(ranks_of(std::vector<double>{3, 1, 3, 2, 3}) == std::vector<double>{4, 1, 4, 2, 4});
  CHECK(ranks_of(std::vector<float>{}).empty());
}

TEST_CASE("a tie counts half of a pair in right order, and one kind alone has no area") {
  CHECK(roc_area({0.5F, 0.5F}, {true, false}) == 0.5);
  CHECK(roc_area({0.1F, 0.5F, 0.5F, 0.9F}, {false, true, false, true}) == 0.875);
  CHECK_FALSE(roc_area({0.1F, 0.5F}, {true, true}).has_value());
  CHECK_FALSE(roc_area({0.1F, 0.5F}, {false, false}).has_value());
}

TEST_CASE("a probability of 0 for what is right is a large loss, not an infinite one") {
  const ScoreTable certain = {2, {1.0F, 0.0F}};
  const std::vector<std::size_t> wrong = {1};
  const std::vector<std::size_t> right = {0};
  CHECK(std::abs(log_loss(certain, wrong) - 52 * std::log(2.0)) < 1e-9);
  CHECK(log_loss(certain, right) < 1e-15);
  CHECK(brier_score(certain, wrong) == 1.0);
}

TEST_CASE("a bin has its upper edge and not its lower one") {
  struct Row {
    float confidence;
    std::size_t bin;
  };
  const Row rows[] = {{0.0F, 0}, {1e-30F, 0}, {0.2F, 3},  {0.19999F, 2}, {0.4F, 6},
                      {0.6F, 9}, {0.8F, 12},  {1.0F, 14}, {0.5F, 7},     {0.9999F, 14}};
  for (const auto& [confidence, bin] : rows) {
    const Verdict verdict{confidence, true};
    const auto bins = calibration_bins({&verdict, 1});
    INFO("confidence " << confidence);
    CHECK(bins[bin].rows == 1);
  }
  CHECK(expected_calibration_error(calibration_bins({})) == 0.0);
}

TEST_CASE("the interval of a proportion is Wilson's, also for few rows and at 0 and 1") {
  struct Row {
    std::size_t hits, rows;
    double low, high;
  };
  // With z² = 3.841459, all of n rows give n / (n + z²) to 1, and none of them 0 to z² / (n + z²).
  // 81 of 263 and 15 of 148 are examples of Newcombe 1998, "Two-sided confidence intervals for the
  // single proportion", table I.
  const Row rows[] = {{1, 1, 0.2065, 1.0},       {2, 2, 0.3424, 1.0},
                      {10, 10, 0.7225, 1.0},     {0, 10, 0.0, 0.2775},
                      {3, 4, 0.3006, 0.9544},    {80, 100, 0.7112, 0.8666},
                      {81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}};
  for (const auto& [hits, all, low, high] : rows) {
    INFO(hits << " of " << all);
    const Interval interval = proportion_interval(hits, all);
    CHECK(std::abs(interval.low - low) <= 5e-5);
    CHECK(std::abs(interval.high - high) <= 5e-5);
  }
  for (std::size_t n = 1; n < 200; ++n) {
    CHECK(proportion_interval(n, n).high == 1.0);
    CHECK(proportion_interval(0, n).low == 0.0);
  }
}

TEST_CASE("a temperature at a bound is none") {
  const ScoreTable logits = {2, {0.0F, 2.0F, 0.0F, 2.0F, 0.0F, 2.0F, 0.0F, 2.0F}};
  const std::vector<std::size_t> all_right = {1, 1, 1, 1};
  const std::vector<std::size_t> by_chance = {1, 0, 1, 0};
  const std::vector<std::size_t> mostly = {1, 1, 1, 0};
  CHECK_FALSE(fit_temperature(logits, all_right).has_value());
  CHECK_FALSE(fit_temperature(logits, by_chance).has_value());
  const auto fit = fit_temperature(logits, mostly);
  REQUIRE(fit.has_value());
  CHECK(std::abs(fit->temperature - 2.0 / std::log(3.0)) < 1e-6);  // then it gives 3 : 1
}

TEST_CASE("huge logits have a loss") {
  const ScoreTable logits = {2, {-1e4F, 0.0F, 1e4F, -1e4F, 0.0F, 1.0F}};
  const std::vector<std::size_t> gold = {0, 0, 1};
  const auto fit = fit_temperature(logits, gold);
  CHECK_FALSE(fit.has_value());  // one such error asks for more than the bound
  const ScoreTable flags = {1, {3e38F, -3e38F}};
  CHECK_FALSE(fit_temperature(flags, std::vector<bool>{true, false}).has_value());
}

TEST_CASE("a threshold is a score that was seen; of equal F1 the highest") {
  const auto fit = fit_threshold({0.9F, 0.2F, 0.2F, 0.1F}, {true, true, false, false});
  REQUIRE(fit.has_value());
  CHECK(fit->threshold == 0.2F);
  CHECK(fit->f1 == 0.8);
  CHECK(fit_threshold({0.9F, 0.5F, 0.4F}, {true, false, true})->threshold == 0.4F);
  CHECK(fit_threshold({0.5F, 0.5F}, {true, false})->threshold == 0.5F);
  CHECK_FALSE(fit_threshold({0.5F}, {false}).has_value());
}

TEST_CASE("what does not vary has no correlation") {
  CHECK_FALSE(regression_measures({1.0, 2.0}, {3.0, 3.0}).pearson.has_value());
  CHECK_FALSE(regression_measures({1.0}, {1.0}).spearman.has_value());
  CHECK(regression_measures({1.0, 2.0}, {3.0, 9.0}).pearson == doctest::Approx(1.0));
}

TEST_CASE("the entropy of one weight is 0 without a sign, and one token has no neighbours") {
  AttentionSums sums;
  sums.add({{1.0F}}, std::vector{Sequence::none});
  const auto heads = sums.statistics();
  REQUIRE(heads.size() == 1);
  CHECK(heads[0].entropy == 0.0);
  CHECK_FALSE(std::signbit(heads[0].entropy));
  CHECK(heads[0].self == 1.0);
  CHECK(heads[0].special == 1.0);
  CHECK(heads[0].previous == 0.0);
  CHECK(heads[0].next == 0.0);
}

TEST_CASE("sums of parts are the sums of the whole") {
  const std::vector<std::vector<float>> layers = {{0.25F, 0.75F, 1.0F, 0.0F}};
  AttentionSums once;
  once.add(layers, std::vector{Sequence::none, Sequence::first});
  AttentionSums twice;
  twice.add(once);
  twice.add(once);
  CHECK(AttentionSums().statistics().empty());
  for (const AttentionSums* sums : {&once, &twice}) {
    const auto heads = sums->statistics();
    REQUIRE(heads.size() == 1);
    CHECK(heads[0].mean == 0.5);
    CHECK(heads[0].max == 0.875);
    CHECK(heads[0].std == doctest::Approx(std::sqrt(0.15625)));
    CHECK(heads[0].entropy == doctest::Approx((0.25 * std::log(4.0) - 0.75 * std::log(0.75)) / 2));
    CHECK(heads[0].distance == 0.875);
    CHECK(heads[0].self == 0.125);
    CHECK(heads[0].previous == 0.5);
    CHECK(heads[0].next == 0.375);
    CHECK(heads[0].special == 0.625);
  }
}

}  // namespace
}  // namespace headlight::hand_test
