#include "training/course/development.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "training/rows/training_data.h"

namespace headlight::development_test {
namespace {

constexpr std::size_t kFolds = 5;

struct Rows {
  LabelSet labels;
  std::vector<float> logits;  // [n, c]
  std::vector<LabelledRow> rows;

  std::span<const float> logits_of(std::size_t i) const {
    return {logits.data() + i * labels.names.size(), labels.names.size()};
  }
  void add(const std::vector<float>& row, std::vector<std::size_t> gold, std::uint64_t key) {
    logits.insert(logits.end(), row.begin(), row.end());
    LabelledRow& added = rows.emplace_back();
    added.order = rows.size();
    added.key = key;
    added.target.labels = std::move(gold);
  }
  DevelopmentFigures figures() const { return development_figures(labels, logits, rows); }
  std::vector<std::size_t> folds() const { return folds_of(rows, labels, kFolds, 0); }
  /// The numbers of the rows of other folds.
  std::vector<std::size_t> outside(std::size_t fold) const {
    const auto folds = this->folds();
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (folds[i] != fold) numbers.push_back(i);
    }
    return numbers;
  }
};

/// Rows whose logits are too large by a factor, so that many are wrong and sure.
Rows random_rows(std::size_t count, std::size_t classes, ProblemType problem, unsigned seed) {
  const std::vector<std::string> names = {"a", "b", "c"};
  Rows made;
  made.labels = {{names.begin(), names.begin() + static_cast<std::ptrdiff_t>(classes)}, problem};
  std::mt19937 random(seed);
  const auto uniform = [&] { return static_cast<float>(random() % 2001) / 1000.0F - 1.0F; };
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<float> logits;
    std::vector<std::size_t> gold;
    for (std::size_t label = 0; label < classes; ++label) {
      const float x = uniform();
      logits.push_back(4.0F * x);
      if (uniform() < x - 0.3F) gold.push_back(label);
    }
    if (problem == ProblemType::single_label) {
      const std::size_t best = std::ranges::max_element(logits) - logits.begin();
      gold = {random() % 3 != 0 ? best : random() % classes};
    }
    made.add(logits, gold, i / 2 + 1);  // each text twice
  }
  return made;
}

std::vector<double> probabilities_at(std::span<const float> logits, double temperature,
                                     ProblemType problem) {
  std::vector<double> all;
  double sum = 0.0;
  for (const float logit : logits) {
    all.push_back(std::exp(logit / temperature));
    sum += all.back();
  }
  const bool softmax = problem == ProblemType::single_label;
  for (double& each : all) each /= softmax ? sum : 1.0 + each;
  return all;
}

double loss_of(const Rows& made, std::size_t i, double temperature) {
  const auto p = probabilities_at(made.logits_of(i), temperature, made.labels.problem_type);
  const auto& gold = made.rows[i].target.labels;
  if (made.labels.problem_type == ProblemType::single_label) return -std::log(p[gold[0]]);
  double loss = 0.0;
  for (std::size_t label = 0; label < p.size(); ++label) {
    const bool has = std::ranges::find(gold, label) != gold.end();
    loss -= std::log(has ? p[label] : 1.0 - p[label]) / static_cast<double>(p.size());
  }
  return loss;
}

double mean_loss(const Rows& made, const std::vector<std::size_t>& numbers, double temperature) {
  double sum = 0.0;
  for (const std::size_t i : numbers) sum += loss_of(made, i, temperature);
  return sum / static_cast<double>(numbers.size());
}

/// By trying all temperatures, one percent from each other; 1 if none is best.
double best_temperature(const Rows& made, const std::vector<std::size_t>& numbers) {
  if (numbers.empty()) return 1.0;
  double best = 0.05;
  for (double t = best; t < 100.0; t *= 1.01) {
    if (mean_loss(made, numbers, t) < mean_loss(made, numbers, best)) best = t;
  }
  return best < 0.051 || best > 98.0 ? 1.0 : best;
}

double value_of(const DevelopmentFigures& figures, const char* field) {
  const Measure* measure = figures.evaluation.find(field);
  REQUIRE(measure != nullptr);
  return measure->value;
}

/// The log loss where each fold has the temperature of the others.
double cross_fitted_loss(const Rows& made) {
  const auto folds = made.folds();
  std::vector<double> temperatures;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    temperatures.push_back(best_temperature(made, made.outside(fold)));
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < made.rows.size(); ++i)
    sum += loss_of(made, i, temperatures[folds[i]]);
  return sum / static_cast<double>(made.rows.size());
}

TEST_CASE("each fold of the development rows has the temperature of the others") {
  for (const ProblemType problem : {ProblemType::single_label, ProblemType::multi_label}) {
    const Rows made = random_rows(60, 3, problem, 7);
    const DevelopmentFigures figures = made.figures();
    REQUIRE(figures.calibration.temperature);
    const double all = best_temperature(made, made.outside(kFolds));
    CHECK(*figures.calibration.temperature == doctest::Approx(all).epsilon(0.01));
    CHECK(value_of(figures, "log_loss") == doctest::Approx(cross_fitted_loss(made)).epsilon(1e-3));
    CHECK(value_of(figures, "log_loss") > mean_loss(made, made.outside(kFolds), all));
  }
}

TEST_CASE("Brier score and calibration error are of the same probabilities") {
  const Rows made = random_rows(40, 2, ProblemType::single_label, 3);
  const auto folds = made.folds();
  double brier = 0.0;
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    const double t = best_temperature(made, made.outside(folds[i]));
    const double p = probabilities_at(made.logits_of(i), t, ProblemType::single_label)[1];
    const double gold = made.rows[i].target.labels[0] == 1 ? 1.0 : 0.0;
    brier += (p - gold) * (p - gold) / static_cast<double>(made.rows.size());
  }
  const DevelopmentFigures figures = made.figures();
  CHECK(value_of(figures, "brier") == doctest::Approx(brier).epsilon(1e-3));
  std::size_t in_bins = 0;
  for (const CalibrationBin& bin : figures.evaluation.calibration) in_bins += bin.rows;
  CHECK(in_bins == made.rows.size());
}

TEST_CASE("rows with the same key are in one fold") {
  Rows made = random_rows(60, 2, ProblemType::single_label, 5);
  for (std::size_t i = 0; i < 60; ++i) made.rows[i].key = i % 20 + 1;
  CHECK(value_of(made.figures(), "log_loss") ==
        doctest::Approx(cross_fitted_loss(made)).epsilon(2e-3));
  const auto folds = made.folds();
  for (std::size_t i = 20; i < 60; ++i) CHECK(folds[i] == folds[i - 20]);
}

TEST_CASE("rows with too few texts to choose have figures at temperature 1") {
  for (const ProblemType problem : {ProblemType::single_label, ProblemType::multi_label}) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{4}, kFewestChoosing - 1}) {
      CAPTURE(count);
      Rows made = random_rows(count, 2, problem, 1);
      for (std::size_t i = 0; i < count; ++i) made.rows[i].key = i + 1;
      const DevelopmentFigures figures = made.figures();
      CHECK(!figures.calibration.temperature);
      CHECK(figures.calibration.thresholds.empty());
      double loss = 0.0;
      for (std::size_t i = 0; i < count; ++i) loss += loss_of(made, i, 1.0);
      CHECK(value_of(figures, "log_loss") ==
            doctest::Approx(loss / static_cast<double>(count)).epsilon(1e-5));
    }
  }
}

/// Predicted and actual labels, and those that are both, with fitted thresholds.
double micro_f1(const Rows& made, bool fits) {
  const auto folds = made.folds();
  double right = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    const auto others = made.outside(folds[i]);
    const auto has = [&](std::size_t row, std::size_t label) {
      const auto& gold = made.rows[row].target.labels;
      return std::ranges::find(gold, label) != gold.end();
    };
    for (std::size_t label = 0; label < made.labels.names.size(); ++label) {
      // Thresholds of logits do not depend on the temperature.
      double best = 0.0;
      double threshold = 0.0;
      for (const std::size_t from : others) {
        const double candidate = made.logits_of(from)[label];
        double found = 0.0;
        double count = 0.0;
        for (const std::size_t row : others) {
          if (has(row, label)) ++count;
          if (made.logits_of(row)[label] < candidate) continue;
          ++count;
          if (has(row, label)) ++found;
        }
        const double f1 = 2.0 * found / count;
        if (f1 > best || (f1 == best && f1 > 0.0 && candidate > threshold)) {
          best = f1;
          threshold = candidate;
        }
      }
      const bool given = made.logits_of(i)[label] >= (fits ? threshold : 0.0);
      all += (given ? 1.0 : 0.0) + (has(i, label) ? 1.0 : 0.0);
      right += given && has(i, label) ? 1.0 : 0.0;
    }
  }
  return 2.0 * right / all;
}

TEST_CASE("thresholds are fitted like the temperature, and kept where they are better than 0.5") {
  std::set<bool> kept;
  for (unsigned seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    Rows made = random_rows(60, 3, ProblemType::multi_label, seed);
    if (seed % 2 == 0) {  // only one text has the last label, so that a fold has no threshold
      for (std::size_t i = 2; i < made.rows.size(); ++i) std::erase(made.rows[i].target.labels, 2U);
      made.rows[0].target.labels = made.rows[1].target.labels = {2};
    }
    const DevelopmentFigures figures = made.figures();
    const bool better = micro_f1(made, true) > micro_f1(made, false);
    CHECK(figures.calibration.thresholds.size() == (better ? 3 : 0));
    CHECK(value_of(figures, "micro_f1") == doctest::Approx(micro_f1(made, better)).epsilon(1e-9));
    kept.insert(better);
  }
  CHECK(kept.size() == 2);
}

TEST_CASE("a regression is not calibrated") {
  Rows made;
  made.labels = {{"value"}, ProblemType::regression};
  for (std::size_t i = 0; i < 4; ++i) {
    made.add({static_cast<float>(i)}, {}, i + 1);
    made.rows.back().target.value = static_cast<float>(2 * i);
  }
  const DevelopmentFigures figures = made.figures();
  CHECK(value_of(figures, "mse") == (0.0 + 1.0 + 4.0 + 9.0) / 4.0);
  CHECK(!figures.calibration.temperature);
  CHECK(figures.calibration.thresholds.empty());
}

}  // namespace
}  // namespace headlight::development_test
