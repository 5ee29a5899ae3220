// Wrong labels: the folds, confident learning beside its formulas in float64 and beside cleanlab,
// near-duplicates beside every pair, and labels that are spelled alike.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/parallel.h"
#include "training/labels/confident_learning.h"
#include "training/labels/label_check.h"
#include "training/labels/near_duplicates.h"
#include "training/rows/suspicious_rows.h"
#include "training/rows/training_data.h"

namespace headlight::labels_test {
namespace {

/// Rows with these labels; row i has the text keys[i].
std::vector<LabelledRow> rows_of(const std::vector<std::size_t>& labels,
                                 const std::vector<std::uint64_t>& keys = {}) {
  std::vector<LabelledRow> rows(labels.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].order = rows[i].number = i;
    rows[i].key = keys.empty() ? i : keys[i];
    rows[i].target.labels = {labels[i]};
  }
  return rows;
}

const LabelSet kThree{{"a", "b", "c"}, ProblemType::single_label};

TEST_CASE("folds have the same share of each label, and depend on the seed alone") {
  std::vector<std::size_t> labels;
  for (std::size_t i = 0; i < 203; ++i) labels.push_back(i % 7 == 0 ? 2 : i % 2);
  const std::vector<LabelledRow> rows = rows_of(labels);
  const auto folds = folds_of(rows, kThree, 5, 1);
  CHECK(folds == folds_of(rows, kThree, 5, 1));
  CHECK(folds != folds_of(rows, kThree, 5, 2));
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> counts;  // by label and fold
  std::vector<std::size_t> sizes(5);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ++counts[{labels[i], folds[i]}];
    ++sizes.at(folds[i]);
  }
  CHECK(counts.size() == 15);
  const auto all = static_cast<std::size_t>(std::ranges::count(labels, 2));
  for (const auto& [key, count] : counts) {
    const std::size_t n = key.first == 2 ? all : (203 - all) / 2;
    CHECK(count >= n / 5);
    CHECK(count <= n / 5 + 1);
  }
  CHECK(*std::ranges::max_element(sizes) - *std::ranges::min_element(sizes) <= 1);
}

TEST_CASE("equal texts are in one fold, also with different labels") {
  std::vector<std::size_t> labels;
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < 120; ++i) {
    labels.push_back(i % 4);
    keys.push_back(i % 37);
  }
  const auto folds = folds_of(rows_of(labels, keys), {{"a", "b", "c", "d"}, {}}, 5, 0);
  for (std::size_t i = 37; i < folds.size(); ++i) CHECK(folds[i] == folds[i - 37]);
}

struct Table {
  ScoreTable probabilities;
  GivenLabels given;
};

Table random_table(std::size_t n, std::size_t c, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  Table table{{c, {}}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<float> logits(c);
    for (float& logit : logits) logit = normal(random);
    logits[i % c] += 2.0F;
    table.probabilities.add(activate_scores(ScoreActivation::softmax, logits));
    table.given.emplace_back(random() % 5 == 0 ? random() % c : i % c);
    if (random() % 11 == 0) table.given.back().reset();
  }
  return table;
}

/// The joint [c, c] of the rows that belong to a label.
std::vector<std::size_t> joint_of(const Table& table) {
  const std::size_t c = table.probabilities.labels;
  const GivenLabels confident = confident_labels(table.probabilities, table.given);
  std::vector<std::size_t> joint(c * c);
  for (std::size_t i = 0; i < confident.size(); ++i) {
    if (confident[i]) ++joint[*table.given[i] * c + *confident[i]];
  }
  return joint;
}

/// Equations 1 and 2 of the paper, label by label, with thresholds of at most 0.9.
std::vector<std::size_t> plain_joint(const Table& table) {
  const std::size_t c = table.probabilities.labels;
  const auto p = [&](std::size_t i, std::size_t k) {
    return static_cast<double>(table.probabilities.row(i)[k]);
  };
  std::vector<std::size_t> joint(c * c);
  std::vector<double> thresholds(c);
  for (std::size_t k = 0; k < c; ++k) {
    double count = 0.0;
    for (std::size_t i = 0; i < table.given.size(); ++i) {
      if (table.given[i] != k) continue;
      thresholds[k] += p(i, k);
      count += 1.0;
    }
    thresholds[k] = std::min(0.9, thresholds[k] / count);
  }
  for (std::size_t given = 0; given < c; ++given) {
    for (std::size_t true_label = 0; true_label < c; ++true_label) {
      for (std::size_t i = 0; i < table.given.size(); ++i) {
        if (table.given[i] != given || p(i, true_label) < thresholds[true_label]) continue;
        bool is_best = true;
        for (std::size_t k = 0; k < c; ++k) {
          if (p(i, k) >= thresholds[k] && p(i, k) > p(i, true_label)) is_best = false;
        }
        if (is_best) ++joint[given * c + true_label];
      }
    }
  }
  return joint;
}

TEST_CASE("the confident joint is that of the paper") {
  for (const auto& [n, c] : {std::pair<std::size_t, std::size_t>{40, 2}, {200, 3}, {333, 9}}) {
    const Table table = random_table(n, c, n);
    CHECK(joint_of(table) == plain_joint(table));
  }
}

TEST_CASE("the confident joint and the rows are those of cleanlab") {
  const Json golden = read_json_file(std::string(HEADLIGHT_TEST_DATA) + "/golden/labels.json");
  for (const Json& group : golden["groups"]) {
    Table table;
    for (const Json& label : group["given"]) table.given.emplace_back(label.get<std::size_t>());
    table.probabilities.values = group["probabilities"].get<std::vector<float>>();
    table.probabilities.labels = table.probabilities.values.size() / table.given.size();
    CHECK(joint_of(table) == group["joint"].get<std::vector<std::size_t>>());
    CHECK(improbable_rows(table.probabilities, table.given) ==
          group["listed"].get<std::vector<std::size_t>>());
  }
}

TEST_CASE("rows whose label could not be predicted are not suspects") {
  const ProblemType single = ProblemType::single_label;
  const ScoreTable table{2, {0.9F, 0.1F, 0.1F, 0.9F, 0.95F, 0.05F, 0.8F, 0.2F, 0.2F, 0.8F}};
  std::vector<Gold> targets(5);
  const std::vector<std::size_t> given = {0, 1, 1, 0, 1};
  for (std::size_t i = 0; i < 5; ++i) targets[i].labels = {given[i]};
  const auto all = find_suspects(single, table, targets, {true, true});
  REQUIRE(all.size() == 1);
  CHECK(all[0].row == 2);
  CHECK(all[0].suggested.labels == std::vector<std::size_t>{0});
  CHECK(find_suspects(single, table, targets, {true, false}).empty());
}

TEST_CASE("of several labels, one too many and one that is missing are found") {
  const ProblemType multi = ProblemType::multi_label;
  ScoreTable table{3, {}};
  std::vector<Gold> targets(30);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const bool has_a = i % 2 == 0;
    const bool has_b = i % 3 == 0;
    if (has_a) targets[i].labels.push_back(0);
    if (has_b) targets[i].labels.push_back(1);
    const float sure = i == 12 ? 0.99F : i == 7 ? 0.98F : 0.9F;
    table.add(std::vector<float>{has_a ? sure : 1 - sure, has_b ? sure : 1 - sure, 0.02F});
  }
  targets[7].labels = {0};   // a is one too many
  targets[12].labels = {0};  // b is missing
  const auto suspects = find_suspects(multi, table, targets, {true, true, true});
  REQUIRE(suspects.size() == 2);
  CHECK(suspects[0].row == 12);  // the surer one
  CHECK(suspects[0].suggested.labels == std::vector<std::size_t>{0, 1});
  CHECK(suspects[1].row == 7);
  CHECK(suspects[1].suggested.labels.empty());
  CHECK(probability_of({{0}}, std::vector<float>{0.75F, 0.25F}, ProblemType::multi_label) == 0.75);
  CHECK(probability_of({}, std::vector<float>{0.75F, 0.25F}, ProblemType::multi_label) == 0.25);
}

/// Vectors around the axis of their label.
std::vector<float> clouds(const std::vector<std::size_t>& labels, std::size_t d,
                          std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal(1.0F, 0.3F);
  std::vector<float> vectors;
  for (const std::size_t label : labels) {
    for (std::size_t j = 0; j < d; ++j) {
      vectors.push_back(normal(random) + (j == label ? 3.0F : 0.0F));
    }
  }
  return vectors;
}

TEST_CASE("changed labels are improbable to heads that were fitted without their rows") {
  std::vector<std::size_t> labels;
  for (std::size_t i = 0; i < 300; ++i) labels.push_back(i % 3);
  const std::vector<float> vectors = clouds(labels, 8, 4);
  labels[10] = 0;
  labels[40] = 2;
  labels[88] = 3;  // the only row with its label
  const auto rows = rows_of(labels);
  const auto folds = folds_of(rows, {{"a", "b", "c", "d"}, {}}, kFolds, 0);
  std::vector<Gold> targets;
  for (const LabelledRow& row : rows) targets.push_back(row.target);
  const HeadFittingOptions options{ProblemType::single_label, 4};
  const FittingRows all{ConstMatrix(vectors.data(), 300, 8), targets};
  const auto judged = judged_labels(targets, folds, 4);
  CHECK(judged == std::vector<bool>{true, true, true, false});
  const auto probabilities = [&] {
    auto table = cross_validated(all, folds, judged, options, [](double) { return false; });
    REQUIRE(table);
    return *table;
  };
  std::vector<ScoreTable> tables;
  for (const std::size_t threads : {1, 3}) {
    const ThreadPermit permit(threads);
    tables.push_back(probabilities());
  }
  CHECK(tables[0].values == tables[1].values);
  std::vector<std::size_t> found;
  for (const Suspect& one :
       find_suspects(ProblemType::single_label, tables[0], targets, {true, true, true, false})) {
    found.push_back(one.row);
  }
  std::ranges::sort(found);
  CHECK(found == std::vector<std::size_t>{10, 40});
  CHECK(!cross_validated(all, folds, judged, options, [](double) { return true; }));
}

std::vector<std::optional<std::size_t>> every_pair(ConstMatrix x,
                                                   const std::vector<LabelledRow>& rows) {
  std::vector<std::vector<double>> centered(x.rows, std::vector<double>(x.cols));
  for (std::size_t j = 0; j < x.cols; ++j) {
    double mean = 0.0;
    for (std::size_t i = 0; i < x.rows; ++i) mean += static_cast<double>(x.row(i)[j]);
    mean /= static_cast<double>(x.rows);
    for (std::size_t i = 0; i < x.rows; ++i) {
      centered[i][j] = static_cast<double>(x.row(i)[j]) - mean;
    }
  }
  const auto product = [&](std::size_t a, std::size_t b) {
    double sum = 0.0;
    for (std::size_t j = 0; j < x.cols; ++j) sum += centered[a][j] * centered[b][j];
    return sum;
  };
  std::vector<std::optional<std::size_t>> found(x.rows);
  for (std::size_t a = 0; a < x.rows; ++a) {
    double nearest = 0.95;
    for (std::size_t b = 0; b < x.rows; ++b) {
      if (rows[a].target.labels == rows[b].target.labels) continue;
      const std::set<TokenId> of_a(rows[a].tokens.ids.begin(), rows[a].tokens.ids.end());
      std::set<TokenId> of_b(rows[b].tokens.ids.begin(), rows[b].tokens.ids.end());
      const auto both = static_cast<std::size_t>(
          std::ranges::count_if(of_b, [&](TokenId id) { return of_a.contains(id); }));
      of_b.insert(of_a.begin(), of_a.end());
      if (2 * both < of_b.size()) continue;
      const double cosine = product(a, b) / std::sqrt(product(a, a) * product(b, b));
      if (cosine <= nearest) continue;
      nearest = cosine;
      found[a] = b;
    }
  }
  return found;
}

TEST_CASE("near-duplicates with another label are those of every pair") {
  for (const std::size_t n : {5, 150, 1200}) {
    std::mt19937_64 random(n);
    std::normal_distribution<float> normal;
    const std::size_t d = 9;
    std::vector<float> vectors;
    std::vector<std::size_t> labels;
    for (std::size_t i = 0; i < n; ++i) {
      labels.push_back(random() % 3);
      const std::size_t source = i >= 4 && random() % 3 == 0 ? random() % i : i;
      for (std::size_t j = 0; j < d; ++j) {
        const float own = 2.0F + normal(random);
        vectors.push_back(source == i ? own : vectors[source * d + j] + 0.2F * normal(random));
      }
    }
    auto rows = rows_of(labels);
    for (LabelledRow& row : rows) row.tokens.ids = {1, 2, static_cast<TokenId>(random() % 4)};
    const ConstMatrix matrix(vectors.data(), n, d);
    const auto expected = every_pair(matrix, rows);
    for (const std::size_t threads : {1, 3}) {
      const ThreadPermit permit(threads);
      CHECK(contradicting_rows(matrix, rows, [](double) { return false; }) == expected);
    }
    if (n > 5)
      CHECK(std::ranges::count_if(expected, [](const auto& one) { return one.has_value(); }) > 5);
  }
}

TEST_CASE("very many rows are not compared") {
  const std::vector<LabelledRow> rows(kMostComparedRows + 1);
  const auto found = contradicting_rows({}, rows, [](double) { return true; });
  CHECK(found == std::vector<std::optional<std::size_t>>(rows.size()));
}

TEST_CASE("labels that are spelled alike") {
  using Groups = std::vector<std::vector<std::size_t>>;
  const std::vector<std::pair<std::vector<std::string>, Groups>> cases = {
      {{"Spam", "spam", "ham"}, {{0, 1}}},
      {{"card arrival", "card_arrival", "Card  Arrival", "card-arrival."}, {{0, 1, 2, 3}}},
      {{"ÄRGER", "ärger", "arger"}, {{0, 1}}},
      {{"caf\u00e9", "cafe\u0301", "cafe"}, {{0, 1}}},
      {{"a b", "a\u00a0b", "a\u200bb",
        "\ufeff"
        "a b"},
       {{0, 1, 2, 3}}},
      {{"C", "C++", "C#"}, {}},
      {{"1", "-1", "1.0", "10", "+1"}, {}},
      {{"label 1", "label_1", "label 11"}, {{0, 1}}},
      {{"!", "?", "_"}, {}},
  };
  for (const auto& [names, groups] : cases) CHECK(labels_spelled_alike(names) == groups);
}

}  // namespace
}  // namespace headlight::labels_test
