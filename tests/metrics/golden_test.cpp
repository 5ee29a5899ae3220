// Replays what scikit-learn, SciPy and trec_eval measured: tests/golden/metrics.json, which
// scripts/make metrics_golden makes.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "inside/attention_statistics.h"
#include "metrics/confidence.h"
#include "metrics/counts.h"
#include "metrics/fitting.h"
#include "metrics/ranking.h"
#include "metrics/score_measures.h"

namespace headlight::golden_test {
namespace {

constexpr double kClose = 1e-9;
constexpr double kFitted = 1e-5;  // of a temperature: its loss is flat where it is least

const Json& golden() {
  static const Json all = read_json_file(std::string(HEADLIGHT_TEST_DATA) + "/golden/metrics.json");
  return all;
}

#define CHECK_NEAR(found, expected) \
  CHECK(std::abs((found) - (expected).get<double>()) <= kClose * (1.0 + std::abs(found)))

ScoreTable table_of(const Json& group, const char* name) {
  ScoreTable table;
  table.labels = group["labels"];
  for (const Json& row : group[name]) table.add(row.get<std::vector<float>>());
  return table;
}

std::vector<std::size_t> numbers(const Json& list) { return list.get<std::vector<std::size_t>>(); }

std::vector<bool> flags_of(const Json& rows) {
  std::vector<bool> flags;
  for (const Json& row : rows) {
    for (const Json& flag : row) flags.push_back(flag == 1);
  }
  return flags;
}

std::vector<bool> column_of(const std::vector<bool>& flags, std::size_t columns, std::size_t one) {
  std::vector<bool> column;
  for (std::size_t i = one; i < flags.size(); i += columns) column.push_back(flags[i]);
  return column;
}

void check_labels(const std::vector<LabelCounts>& counts, const Json& expected) {
  REQUIRE(counts.size() == expected.size());
  for (std::size_t label = 0; label < counts.size(); ++label) {
    const LabelMeasures found = measures_of(counts[label]);
    CHECK_NEAR(found.precision, expected[label][0]);
    CHECK_NEAR(found.recall, expected[label][1]);
    CHECK_NEAR(found.f1, expected[label][2]);
    CHECK(found.support == expected[label][3].get<double>());
  }
}

void check_averages(const AverageF1& found, const Json& expected) {
  CHECK_NEAR(found.macro, expected[0]);
  CHECK_NEAR(found.micro, expected[1]);
  CHECK_NEAR(found.weighted, expected[2]);
}

void check_fit(const std::optional<TemperatureFit>& found, const Json& expected) {
  REQUIRE(found.has_value());
  CHECK(std::abs(found->temperature - expected[0].get<double>()) <= kFitted * found->temperature);
  CHECK_NEAR(found->log_loss_before, expected[1]);
  CHECK_NEAR(found->log_loss_after, expected[2]);
}

TEST_CASE("rows of one label each: counts and averages are scikit-learn's") {
  for (const Json& group : golden()["single_label"]) {
    INFO(group["name"].get<std::string>());
    const auto gold = numbers(group["gold"]);
    const auto predicted = numbers(group["predicted"]);
    ConfusionMatrix confusion(group["labels"]);
    for (std::size_t i = 0; i < gold.size(); ++i) confusion.add(gold[i], predicted[i]);
    for (std::size_t i = 0; i < confusion.labels(); ++i) {
      for (std::size_t j = 0; j < confusion.labels(); ++j) {
        CHECK(confusion.at(i, j) == group["confusion"][i][j].get<std::size_t>());
      }
    }
    CHECK(confusion.rows() == gold.size());
    CHECK_NEAR(static_cast<double>(confusion.right()) / static_cast<double>(gold.size()),
               group["accuracy"]);
    check_labels(confusion.counts(), group["by_label"]);
    check_averages(average_f1(confusion.counts(), AveragedLabels::seen), group["averages"]);
  }
}

TEST_CASE("rows of one label each: what is measured on probabilities is scikit-learn's") {
  for (const Json& group : golden()["single_label"]) {
    INFO(group["name"].get<std::string>());
    const auto gold = numbers(group["gold"]);
    const ScoreTable scores = table_of(group, "scores");
    CHECK_NEAR(log_loss(scores, gold), group["log_loss"]);
    CHECK_NEAR(brier_score(scores, gold), group["brier"]);
    const auto area = roc_area(scores, gold);
    REQUIRE(area.has_value());
    CHECK_NEAR(*area, group["auc"]);
    check_fit(fit_temperature(table_of(group, "logits"), gold), group["temperature"]);
  }
}

TEST_CASE("rows of one label each: bins, coverage and interval are as defined") {
  for (const Json& group : golden()["single_label"]) {
    INFO(group["name"].get<std::string>());
    const auto gold = numbers(group["gold"]);
    const auto predicted = numbers(group["predicted"]);
    const ScoreTable scores = table_of(group, "scores");
    std::vector<Verdict> verdicts;
    std::size_t right = 0;
    for (std::size_t i = 0; i < gold.size(); ++i) {
      verdicts.push_back({scores.row(i)[predicted[i]], gold[i] == predicted[i]});
      if (verdicts.back().right) ++right;
    }
    const auto bins = calibration_bins(verdicts);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      CHECK(bins[i].rows == group["calibration"][i][0].get<std::size_t>());
      CHECK_NEAR(bins[i].confidence, group["calibration"][i][1]);
      CHECK_NEAR(bins[i].accuracy, group["calibration"][i][2]);
    }
    CHECK_NEAR(expected_calibration_error(bins), group["ece"]);
    const auto points = coverage_points(verdicts);
    REQUIRE(points.size() == group["coverage"].size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      CHECK(points[i].rows == group["coverage"][i][0].get<std::size_t>());
      CHECK_NEAR(points[i].coverage, group["coverage"][i][1]);
      CHECK_NEAR(points[i].accuracy, group["coverage"][i][2]);
    }
    const Interval interval = proportion_interval(right, gold.size());
    CHECK_NEAR(interval.low, group["interval"][0]);
    CHECK_NEAR(interval.high, group["interval"][1]);
  }
}

TEST_CASE("rows of any number of labels: everything is scikit-learn's") {
  for (const Json& group : golden()["multi_label"]) {
    INFO(group["name"].get<std::string>());
    const ScoreTable scores = table_of(group, "scores");
    const auto gold = flags_of(group["gold"]);
    MultiLabelCounts counts(scores.labels);
    for (std::size_t row = 0; row < scores.rows(); ++row) {
      const Json one = Json::array({group["gold"][row]});
      std::vector<bool> predicted;
      for (const float score : scores.row(row)) predicted.push_back(score >= 0.5F);
      CHECK(predicted == flags_of(Json::array({group["predicted"][row]})));
      counts.add(flags_of(one), predicted);
    }
    check_labels(counts.counts(), group["by_label"]);
    check_averages(average_f1(counts.counts(), AveragedLabels::all), group["averages"]);
    CHECK_NEAR(counts.subset_accuracy(), group["subset_accuracy"]);
    CHECK_NEAR(counts.hamming_loss(), group["hamming_loss"]);
    CHECK_NEAR(log_loss(scores, gold), group["log_loss"]);
    const auto area = roc_area(scores, gold);
    REQUIRE(area.has_value());
    CHECK_NEAR(*area, group["auc"]);
    check_fit(fit_temperature(table_of(group, "logits"), gold), group["temperature"]);
    for (std::size_t label = 0; label < scores.labels; ++label) {
      const auto fit = fit_threshold(scores.column(label), column_of(gold, scores.labels, label));
      const Json& expected = group["thresholds"][label];
      REQUIRE(fit.has_value() == !expected.is_null());
      if (!fit) continue;
      CHECK(fit->threshold == expected[0].get<float>());
      CHECK_NEAR(fit->f1, expected[1]);
    }
  }
}

TEST_CASE("values: errors and correlations are scikit-learn's and SciPy's") {
  for (const Json& group : golden()["regression"]) {
    INFO(group["name"].get<std::string>());
    const auto found = regression_measures(group["values"], group["gold"]);
    CHECK_NEAR(found.mean_squared_error, group["mse"]);
    CHECK_NEAR(found.mean_absolute_error, group["mae"]);
    REQUIRE(found.pearson.has_value());
    CHECK_NEAR(*found.pearson, group["pearson"]);
    REQUIRE(found.spearman.has_value());
    CHECK_NEAR(*found.spearman, group["spearman"]);
  }
}

TEST_CASE("attention: the numbers of a head are those of all its rows together") {
  for (const Json& group : golden()["attention"]) {
    AttentionSums sums;
    for (const Json& text : group["texts"]) {
      std::vector<std::vector<float>> layers;
      for (const Json& layer : text) {
        auto& weights = layers.emplace_back();
        for (const Json& head : layer) {
          for (const Json& query : head) {
            const auto row = query.get<std::vector<float>>();
            weights.insert(weights.end(), row.begin(), row.end());
          }
        }
      }
      sums.add(layers, std::vector(text[0][0].size(), Sequence::first));
    }
    const auto heads = sums.statistics();
    REQUIRE(heads.size() == group["heads"].size());
    for (std::size_t i = 0; i < heads.size(); ++i) {
      CHECK(heads[i].layer == i / 3);
      CHECK(heads[i].head == i % 3);
      CHECK_NEAR(heads[i].mean, group["heads"][i][0]);
      CHECK_NEAR(heads[i].std, group["heads"][i][1]);
      CHECK_NEAR(heads[i].max, group["heads"][i][2]);
      CHECK_NEAR(heads[i].entropy, group["heads"][i][3]);
    }
  }
}

TEST_CASE("ranking: the best answers to each query are measured as by trec_eval") {
  for (const Json& group : golden()["ranking"]) {
    Rankings rankings;
    for (const Json& query : group["queries"]) {
      auto& answers = rankings[std::to_string(rankings.size())];
      for (const Json& answer : query) answers.push_back({answer[0], answer[1]});
    }
    const auto found = ranking_measures(rankings, group["k"]);
    CHECK(find_measure(found, "queries")->value == 12);
    for (const char* name : {"ndcg", "mrr", "recall"}) {
      const Measure* measure = find_measure(found, name);
      CHECK_NEAR(measure->value, group[name]);
      REQUIRE(measure->interval.has_value());
      CHECK(measure->interval->low >= 0.0);
      CHECK(measure->interval->high <= 1.0);
      CHECK(measure->interval->low < measure->value);
    }
  }
  CHECK(ranking_measures({{"few", {{0.5F, 1}}}}, 1)[1].value == 1);
  CHECK_FALSE(ranking_measures({{"few", {{0.5F, 1}}}}, 1)[1].interval.has_value());
}

}  // namespace
}  // namespace headlight::golden_test
