// The weights are the minimum of the loss in the header: a plain float64 loss, whose gradient is
// compared with differences, has no gradient there.
#include "training/sparse/sparse_regression.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "training/head/lbfgs.h"

namespace headlight::sparse_regression_test {
namespace {

struct Rows {
  SparseRows features{.width = 12};
  std::vector<Gold> targets;
};

/// Rows whose label is mostly that of one of their features, the first label more often.
Rows random_rows(std::size_t count, std::size_t labels, bool is_multi) {
  Rows rows;
  std::mt19937_64 random(3);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> columns(12);
    std::iota(columns.begin(), columns.end(), 0U);
    for (std::size_t j = 0; j < 5; ++j) std::swap(columns[j], columns[j + random() % (12 - j)]);
    for (std::size_t j = 0; j < 5; ++j) {
      rows.features.columns.push_back(columns[j]);
      rows.features.values.push_back(0.1F * static_cast<float>(1 + random() % 9));
    }
    rows.features.starts.push_back(rows.features.columns.size());
    Gold target;
    for (std::size_t label = 0; label < labels; ++label) {
      const bool is_there = std::ranges::count(std::span(columns).first(3), label) > 0;
      if (is_multi && is_there != (random() % 8 == 0)) target.labels.push_back(label);
    }
    if (!is_multi) target.labels = {random() % 3 == 0 ? 0 : columns[0] % labels};
    rows.targets.push_back(target);
  }
  return rows;
}

/// The loss of weights [13, m] of decision values, and its gradient, written out plainly.
class PlainLoss {
 public:
  PlainLoss(const Rows& rows, const HeadFittingOptions& options, double strength)
      : rows_(rows), options_(options), strength_(strength) {
    weights_ = label_weights(rows.targets, options);
    is_single_ = options.problem_type == ProblemType::single_label;
    columns_ = is_single_ && options.classes == 2 ? 1 : options.classes;
  }

  double operator()(const std::vector<double>& w, std::vector<double>& gradient) const {
    double loss = 0.0;
    for (std::size_t i = 0; i < w.size(); ++i) loss += w[i] * w[i] / 2.0;
    gradient = w;
    for (std::size_t i = 0; i < rows_.targets.size(); ++i) {
      std::vector<double> x(13);
      for (std::size_t j = rows_.features.starts[i]; j < rows_.features.starts[i + 1]; ++j) {
        x[rows_.features.columns[j]] = static_cast<double>(rows_.features.values[j]);
      }
      x[12] = 1.0;
      std::vector<double> scores(columns_);
      for (std::size_t j = 0; j < x.size(); ++j) {
        for (std::size_t k = 0; k < columns_; ++k) scores[k] += x[j] * w[j * columns_ + k];
      }
      std::vector<double> slopes;
      loss += strength_ * add_row(rows_.targets[i], scores, slopes);
      for (std::size_t j = 0; j < x.size(); ++j) {
        for (std::size_t k = 0; k < columns_; ++k) {
          gradient[j * columns_ + k] += strength_ * slopes[k] * x[j];
        }
      }
    }
    return loss;
  }
  std::size_t size() const { return 13 * columns_; }

 private:
  double add_row(const Gold& target, const std::vector<double>& scores,
                 std::vector<double>& slopes) const {
    double loss = 0.0;
    if (is_single_ && columns_ > 1) {
      const std::size_t label = target.labels.front();
      double sum = 0.0;
      for (const double score : scores) sum += std::exp(score);
      for (const double score : scores) {
        slopes.push_back(weights_.present[label] * std::exp(score) / sum);
      }
      slopes[label] -= weights_.present[label];
      return weights_.present[label] * (std::log(sum) - scores[label]);
    }
    for (std::size_t k = 0; k < columns_; ++k) {
      const std::size_t label = is_single_ ? 1 : k;
      const bool is_there = std::ranges::count(target.labels, label) > 0;
      const double absent = is_single_ ? weights_.present[0] : weights_.absent[k];
      const double weight = is_there ? weights_.present[label] : absent;
      const double sign = is_there ? -1.0 : 1.0;
      loss += weight * std::log1p(std::exp(sign * scores[k]));
      slopes.push_back(weight * sign / (1.0 + std::exp(-sign * scores[k])));
    }
    return loss;
  }

  const Rows& rows_;
  HeadFittingOptions options_;
  double strength_;
  LabelWeights weights_;
  bool is_single_;
  std::size_t columns_;
};

std::vector<std::uint32_t> numbers_below(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

double length(const std::vector<double>& x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

struct Case {
  const char* name;
  ProblemType problem;
  std::size_t labels;
  ClassWeights weights;
};
const std::vector<Case> kCases = {
    {"two labels", ProblemType::single_label, 2, ClassWeights::none},
    {"two balanced labels", ProblemType::single_label, 2, ClassWeights::balanced},
    {"five labels", ProblemType::single_label, 5, ClassWeights::none},
    {"five balanced labels", ProblemType::single_label, 5, ClassWeights::balanced},
    {"several labels at once", ProblemType::multi_label, 4, ClassWeights::none},
    {"several balanced labels", ProblemType::multi_label, 4, ClassWeights::balanced},
};

TEST_CASE("the plain loss has the gradient that differences give") {
  for (const Case& each : kCases) {
    CAPTURE(each.name);
    const Rows rows = random_rows(20, each.labels, each.problem == ProblemType::multi_label);
    const PlainLoss loss(rows, {each.problem, each.labels, each.weights}, 3.0);
    std::vector<double> w(loss.size());
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::sin(static_cast<double>(i));
    std::vector<double> gradient;
    std::vector<double> unused;
    loss(w, gradient);
    for (std::size_t i = 0; i < w.size(); ++i) {
      auto more = w;
      auto less = w;
      more[i] += 1e-5;
      less[i] -= 1e-5;
      const double slope = (loss(more, unused) - loss(less, unused)) / 2e-5;
      CHECK(gradient[i] == doctest::Approx(slope).epsilon(1e-5));
    }
  }
}

TEST_CASE("the weights are the minimum of the loss, whatever was fitted before") {
  for (const Case& each : kCases) {
    for (const double strength : {0.1, 3.0, 100.0}) {
      CAPTURE(each.name);
      CAPTURE(strength);
      const Rows rows = random_rows(200, each.labels, each.problem == ProblemType::multi_label);
      const HeadFittingOptions options{each.problem, each.labels, each.weights};
      const PlainLoss loss(rows, options, strength);
      SparseRegression regression(rows.features, rows.targets, numbers_below(200), options, 1);
      regression.fit(strength / 10.0, 0.1, 3, [] { return false; });
      regression.fit(strength, 1e-6, 3000, [] { return false; });
      const std::vector<double> w(regression.weights().begin(), regression.weights().end());
      REQUIRE(w.size() == loss.size());
      std::vector<double> gradient;
      const double found = loss(w, gradient);
      std::vector<double> best(w.size());
      minimize(loss, best, {1e-6, 5000}, [] { return false; });
      std::vector<double> unused;
      CHECK(found <= loss(best, unused) * (1.0 + 1e-5));
      if (strength < 10.0) CHECK(length(gradient) < 1e-3 * length(w));
    }
  }
}

TEST_CASE("rows that are not used change nothing, and logits are those of the weights") {
  const Rows rows = random_rows(60, 2, false);
  const HeadFittingOptions options{ProblemType::single_label, 2};
  const auto never = [] { return false; };
  SparseRegression part(rows.features, rows.targets, numbers_below(40), options, 1);
  Rows fewer = rows;
  fewer.features.starts.resize(41);
  fewer.targets.resize(40);
  SparseRegression alone(fewer.features, fewer.targets, numbers_below(40), options, 1);
  part.fit(1.0, 1e-3, 50, never);
  alone.fit(1.0, 1e-3, 50, never);
  CHECK(std::ranges::equal(part.weights(), alone.weights()));
  REQUIRE(part.columns() == 1);
  double decision = static_cast<double>(part.weights()[12]);
  for (std::size_t j = rows.features.starts[50]; j < rows.features.starts[51]; ++j) {
    decision +=
        static_cast<double>(rows.features.values[j] * part.weights()[rows.features.columns[j]]);
  }
  const std::vector<float> logits = part.logits_of(rows.features, 50);
  CHECK(static_cast<double>(logits[0]) == doctest::Approx(-decision / 2.0));
  CHECK(static_cast<double>(logits[1]) == doctest::Approx(decision / 2.0));
}

}  // namespace
}  // namespace headlight::sparse_regression_test
