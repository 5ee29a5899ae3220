// The fitted head is the minimum of the loss in the header: its gradient there is zero, written out
// here a second time.
#include "training/head/head_fitting.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "training/head/lbfgs.h"

namespace headlight::head_fitting_test {
namespace {

/// Numbers from -1 to 1, the same everywhere.
class Numbers {
 public:
  float next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<float>(static_cast<double>(state_ >> 33U) / 1073741824.0 - 1.0);
  }

 private:
  std::uint64_t state_ = 7;
};

struct Rows {
  std::vector<float> vectors;  // [n, d]
  std::vector<Gold> targets;
  std::size_t width = 0;

  FittingRows view() const { return {ConstMatrix(vectors.data(), targets.size(), width), targets}; }
};

/// Rows whose label is mostly the largest of the first numbers.
Rows random_rows(std::size_t n, std::size_t d, std::size_t classes) {
  Rows rows;
  rows.width = d;
  Numbers numbers;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<float> x(d);
    for (float& value : x) value = 3.0F + numbers.next();
    std::size_t best = 0;
    for (std::size_t k = 1; k < classes; ++k) {
      if (x[k] > x[best]) best = k;
    }
    if (numbers.next() > 0.6F) best = (best + 1) % classes;
    Gold target;
    target.labels = {best};
    target.value = 2.0F * x[0] - x[1] + 0.1F * numbers.next() + 40.0F;
    rows.targets.push_back(target);
    rows.vectors.insert(rows.vectors.end(), x.begin(), x.end());
  }
  return rows;
}

const FittingWatch kQuiet = {[](double) { return false; }, [](const StrengthTrial&) {}};

/// d loss / d weight of the header's loss at the fitted head, in units of the unscaled vectors.
double largest_gradient(const Rows& rows, const HeadFit& fit, const HeadFittingOptions& options) {
  const std::size_t n = rows.targets.size();
  const std::size_t d = rows.width;
  const std::size_t c = options.classes;
  double squares = 0.0;
  for (const float value : rows.vectors) squares += static_cast<double>(value) * value;
  const double scale = std::sqrt(squares / static_cast<double>(n));
  std::vector<double> gradient(c * d);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> scores(c);
    double sum = 0.0;
    for (std::size_t k = 0; k < c; ++k) {
      scores[k] = fit.head.bias.empty() ? 0.0 : static_cast<double>(fit.head.bias[k]);
      for (std::size_t j = 0; j < d; ++j) {
        scores[k] += static_cast<double>(fit.head.weight[k * d + j]) *
                     static_cast<double>(rows.vectors[i * d + j]);
      }
      sum += std::exp(scores[k]);
    }
    for (std::size_t k = 0; k < c; ++k) {
      const double wanted = rows.targets[i].labels.front() == k ? 1.0 : 0.0;
      const double residual = options.problem_type == ProblemType::single_label
                                  ? std::exp(scores[k]) / sum - wanted
                                  : 1.0 / (1.0 + std::exp(-scores[k])) - wanted;
      for (std::size_t j = 0; j < d; ++j) {
        gradient[k * d + j] += residual * static_cast<double>(rows.vectors[i * d + j]) / scale;
      }
    }
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double weight = static_cast<double>(fit.head.weight[i]) * scale;
    gradient[i] = (gradient[i] + fit.strength * weight) / static_cast<double>(n);
    largest = std::max(largest, std::abs(gradient[i]));
  }
  return largest;
}

TEST_CASE("the gradient of the loss is zero at the fitted head") {
  const Rows rows = random_rows(700, 11, 4);
  for (const ProblemType problem : {ProblemType::single_label, ProblemType::multi_label}) {
    for (const bool has_bias : {true, false}) {
      const HeadFittingOptions options{problem, 4, ClassWeights::none, has_bias};
      const auto fit = fit_head(rows.view(), {}, options, kQuiet);
      REQUIRE(fit);
      CHECK(fit->head.bias.empty() != has_bias);
      CHECK(largest_gradient(rows, *fit, options) < 1e-5);
    }
  }
}

TEST_CASE("the head does not depend on the number of threads") {
  const Rows rows = random_rows(3000, 20, 5);
  const Rows dev = random_rows(200, 20, 5);
  const HeadFittingOptions options{ProblemType::single_label, 5, ClassWeights::balanced, true};
  std::vector<float> first;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    const ThreadPermit permit(threads);
    const auto fit = fit_head(rows.view(), dev.view(), options, kQuiet);
    REQUIRE(fit);
    if (first.empty()) first = fit->head.weight;
    CHECK(fit->head.weight == first);
  }
}

/// Of each row some columns, and in others the row's label.
SparseRows random_features(const Rows& rows, std::size_t width) {
  SparseRows features{.width = width};
  Numbers numbers;
  for (const Gold& target : rows.targets) {
    for (std::size_t column = 0; column < width; ++column) {
      if (numbers.next() < 0.7F && column != target.labels.front()) continue;
      features.columns.push_back(static_cast<std::uint32_t>(column));
      features.values.push_back(numbers.next());
    }
    features.starts.push_back(features.columns.size());
  }
  return features;
}

TEST_CASE("features beside the vectors are fitted as numbers of the vectors would be") {
  Rows rows = random_rows(600, 5, 3);
  const SparseRows features = random_features(rows, 9);
  Rows wide;  // the same numbers in one vector
  wide.width = 14;
  wide.targets = rows.targets;
  double squares = 0.0;
  for (std::size_t i = 0; i < 600; ++i) {
    std::vector<float> x(rows.vectors.begin() + static_cast<std::ptrdiff_t>(5 * i),
                         rows.vectors.begin() + static_cast<std::ptrdiff_t>(5 * i + 5));
    for (const float value : x) squares += static_cast<double>(value) * value / 600.0;
    x.resize(14);
    for (std::size_t j = features.starts[i]; j < features.starts[i + 1]; ++j) {
      x[5 + features.columns[j]] = features.values[j];
    }
    wide.vectors.insert(wide.vectors.end(), x.begin(), x.end());
  }
  double wide_squares = 0.0;
  for (const float value : wide.vectors) wide_squares += static_cast<double>(value) * value / 600.0;
  // Vectors are scaled to a mean square of 1, features are not. So that a penalty weighs as much:
  for (float& value : rows.vectors) value = static_cast<float>(value / std::sqrt(squares));
  for (float& value : wide.vectors) value = static_cast<float>(value / std::sqrt(squares));
  SparseRows scaled = features;
  for (float& value : scaled.values) value = static_cast<float>(value / std::sqrt(squares));
  const HeadFittingOptions options{ProblemType::single_label, 3, ClassWeights::none, false, 0.2};
  HeadFittingOptions of_wide = options;
  of_wide.strength = 0.2 * squares / wide_squares;
  FittingRows both = rows.view();
  both.beside = &scaled;
  std::vector<float> logits;
  for (const std::size_t threads : {1U, 2U}) {
    const ThreadPermit permit(threads);
    const auto fit = fit_head(both, {}, options, kQuiet);
    const auto expected = fit_head(wide.view(), {}, of_wide, kQuiet);
    REQUIRE((fit && expected));
    const auto found = logits_of(fit->head, both.vectors, 3, &scaled);
    const auto wanted = logits_of(expected->head, wide.view().vectors, 3);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      CHECK(found[i] == doctest::Approx(wanted[i]).epsilon(1e-3));
    }
    if (logits.empty()) logits = found;
    CHECK(logits == found);
    const auto again = refit_head(both, options, *fit, [] { return false; });
    REQUIRE(again);
    CHECK(again->beside[0] == doctest::Approx(fit->head.beside[0]).epsilon(1e-3));
  }
}

TEST_CASE("a regression finds the line that the values lie on") {
  const Rows rows = random_rows(500, 3, 2);
  const Rows dev = random_rows(500, 3, 2);
  const HeadFittingOptions options{ProblemType::regression, 1, ClassWeights::none, true};
  const auto fit = fit_head(rows.view(), dev.view(), options, kQuiet);
  REQUIRE(fit);
  CHECK(fit->head.weight[0] == doctest::Approx(2.0).epsilon(0.02));
  CHECK(fit->head.weight[1] == doctest::Approx(-1.0).epsilon(0.02));
  CHECK(fit->head.weight[2] == doctest::Approx(0.0).epsilon(0.02));
  REQUIRE(fit->loss);
  CHECK(*fit->loss < 0.01);
}

TEST_CASE("the strength with the lowest loss on the development rows is kept") {
  const Rows rows = random_rows(60, 30, 3);
  const Rows dev = random_rows(600, 30, 3);
  std::vector<StrengthTrial> trials;
  const FittingWatch watch = {[](double) { return false; },
                              [&](const StrengthTrial& trial) { trials.push_back(trial); }};
  const auto fit =
      fit_head(rows.view(), dev.view(), {ProblemType::single_label, 3, {}, true}, watch);
  REQUIRE(fit);
  REQUIRE(trials.size() > 2);
  for (const StrengthTrial& trial : trials) {
    CHECK(*trial.loss >= *fit->loss);
    if (trial.strength == fit->strength) CHECK(*trial.loss == *fit->loss);
  }
}

TEST_CASE("folds choose the strength whose heads have the lowest loss on rows without them") {
  for (const std::size_t width : {std::size_t{30}, std::size_t{4}}) {
    const Rows rows = random_rows(60, width, 3);
    const HeadFittingOptions options{ProblemType::regression, 1, {}, true};
    std::vector<std::size_t> fold;
    for (std::size_t i = 0; i < 60; ++i) fold.push_back(i % 6);  // the last sixth is in no fold
    std::vector<StrengthTrial> trials;
    const FittingWatch watch = {[](double) { return false; },
                                [&](const StrengthTrial& trial) { trials.push_back(trial); }};
    const auto chosen = strength_by_folds(rows.view(), fold, 5, options, watch);
    REQUIRE(chosen);
    double best = INFINITY;
    for (const StrengthTrial& trial : trials) {
      HeadFittingOptions fixed = options;
      fixed.strength = trial.strength;
      double sum = 0.0;
      for (std::size_t each = 0; each < 5; ++each) {
        const CopiedRows rest(rows.view(), [&](std::size_t i) { return fold[i] != each; });
        const CopiedRows held(rows.view(), [&](std::size_t i) { return fold[i] == each; });
        sum += *fit_head(rest.view(), held.view(), fixed, kQuiet)->loss;
      }
      CHECK(*trial.loss == doctest::Approx(sum / 5.0).epsilon(1e-3));
      best = std::min(best, *trial.loss);
      if (trial.strength == *chosen) CHECK(*trial.loss == best);
    }
  }
  const FittingWatch stopped = {[](double) { return true; }, [](const StrengthTrial&) {}};
  const Rows rows = random_rows(20, 5, 3);
  const std::vector<std::size_t> one(20, 0);
  const HeadFittingOptions options{ProblemType::regression, 1, {}, true};
  CHECK(strength_by_folds(rows.view(), one, 2, options, kQuiet) == kDefaultStrength);
  std::vector<std::size_t> halves = one;
  std::fill_n(halves.begin(), 10, 1);
  CHECK(!strength_by_folds(rows.view(), halves, 2, options, stopped));
}

TEST_CASE("balanced weights count rare labels as much as frequent ones") {
  Rows rows;
  rows.width = 1;
  for (int i = 0; i < 100; ++i) {  // 90 of label 0 at 0, 10 of label 1 at 0: only the bias learns
    Gold target;
    target.labels = {i < 90 ? std::size_t{0} : std::size_t{1}};
    rows.targets.push_back(target);
    rows.vectors.push_back(i % 2 == 0 ? 1.0F : -1.0F);
  }
  HeadFittingOptions options{ProblemType::single_label, 2, ClassWeights::none, true};
  const auto plain = fit_head(rows.view(), {}, options, kQuiet);
  CHECK(plain->head.bias[0] - plain->head.bias[1] == doctest::Approx(std::log(9.0)).epsilon(1e-3));
  options.class_weights = ClassWeights::balanced;
  const auto balanced = fit_head(rows.view(), {}, options, kQuiet);
  CHECK(std::abs(balanced->head.bias[0] - balanced->head.bias[1]) < 1e-3);
}

TEST_CASE("a head is fitted again to more rows, from the head of some of them") {
  const Rows rows = random_rows(400, 7, 3);
  const FittingRows some = {rows.view().vectors.row_range(0, 300),
                            std::span(rows.targets).first(300)};
  const HeadFittingOptions options{ProblemType::single_label, 3, ClassWeights::none, true};
  auto fit = fit_head(some, {}, options, kQuiet);
  REQUIRE(fit);
  CHECK(largest_gradient(rows, *fit, options) > 1e-3);
  const auto head = refit_head(rows.view(), options, *fit, [] { return false; });
  REQUIRE(head);
  fit->head = *head;
  CHECK(largest_gradient(rows, *fit, options) < 1e-5);
}

TEST_CASE("fitting stops when it is asked to") {
  const Rows rows = random_rows(100, 5, 3);
  const HeadFittingOptions options{ProblemType::single_label, 3, {}, true};
  const FittingWatch watch = {[](double) { return true; }, [](const StrengthTrial&) {}};
  CHECK(!fit_head(rows.view(), {}, options, watch));
  const auto fit = fit_head(random_rows(20, 5, 3).view(), {}, options, kQuiet);
  REQUIRE(fit);
  CHECK(!refit_head(rows.view(), options, *fit, [] { return true; }));
}

TEST_CASE("L-BFGS finds the minimum of a badly scaled function") {
  const DifferentiableFunction f = [](const std::vector<double>& x, std::vector<double>& gradient) {
    gradient = {200.0 * (x[0] - 3.0), 0.02 * (x[1] + 5.0)};
    return 100.0 * (x[0] - 3.0) * (x[0] - 3.0) + 0.01 * (x[1] + 5.0) * (x[1] + 5.0);
  };
  std::vector<double> x = {0.0, 0.0};
  minimize(f, x, {1e-9, 200}, [] { return false; });
  CHECK(x[0] == doctest::Approx(3.0));
  CHECK(x[1] == doctest::Approx(-5.0));
}

}  // namespace
}  // namespace headlight::head_fitting_test
