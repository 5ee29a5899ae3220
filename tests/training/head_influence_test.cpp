// Rows without which a head is fitted again, against plain float64: the loss of head_fitting.h
// written out for one long vector of parameters, with its whole Hessian.
#include "training/head/head_influence.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/parallel.h"
#include "math/tensor.h"

namespace headlight::head_influence_test {
namespace {

/// Numbers from -1 to 1, the same everywhere.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 33U) / 1073741824.0 - 1.0;
  }

 private:
  std::uint64_t state_;
};

struct Problem {
  HeadFittingOptions options;
  double strength = 0.3;
  std::size_t width = 0;
  std::vector<float> vectors;  // [n, d]
  std::vector<Gold> targets;
  std::vector<float> text;  // [d]

  FittingRows rows() const { return {ConstMatrix(vectors.data(), targets.size(), width), targets}; }
};

Problem random_problem(HeadFittingOptions options, std::size_t n, std::size_t d) {
  Problem problem{options, 0.3, d, {}, {}, {}};
  Numbers numbers(7 + n + d);
  const std::size_t c = options.classes;
  for (std::size_t i = 0; i <= n; ++i) {
    std::vector<float> x(d);
    for (float& value : x) value = static_cast<float>(0.5 + numbers.next());
    if (i == n) {
      problem.text = x;
      break;
    }
    Gold target;
    std::size_t best = 0;
    for (std::size_t k = 1; k < c; ++k) {
      if (x[k % d] > x[best % d]) best = k;
    }
    if (numbers.next() > 0.7) best = (best + 1) % c;
    if (i < 2 * c) best = i % c;  // at least two rows of each
    target.labels = {best};
    if (options.problem_type == ProblemType::multi_label && best + 1 < c && numbers.next() > 0.5) {
      target.labels.push_back(best + 1);
    }
    target.value = static_cast<float>(40.0 + 6.0 * x[0] + numbers.next());
    problem.targets.push_back(target);
    problem.vectors.insert(problem.vectors.end(), x.begin(), x.end());
  }
  return problem;
}

/// The loss, written again: θ [c, D] where D counts the bias, if there is one.
class Reference {
 public:
  explicit Reference(const Problem& problem)
      : problem_(problem),
        n_(problem.targets.size()),
        d_(problem.width),
        c_(problem.options.classes),
        height_(d_ + (problem.options.has_bias ? 1 : 0)),
        mean_(d_),
        present_(c_, 1.0),
        absent_(c_, 1.0) {
    double squares = 0.0;
    for (std::size_t i = 0; i < n_ * d_; ++i) {
      const double x = problem.vectors[i];
      if (problem.options.has_bias) mean_[i % d_] += x / static_cast<double>(n_);
      squares += x * x;
    }
    scale_ = std::sqrt(squares / static_cast<double>(n_));
    scale_values();
    if (problem.options.class_weights == ClassWeights::balanced) balance();
  }

  /// The minimum without a row, by Newton's method.
  Tensor<2> fit(std::optional<std::size_t> without) const {
    Tensor<2> theta = xt::zeros<double>({c_ * height_, std::size_t{1}});
    for (int step = 0; step < 100; ++step) {
      const Tensor<2> change = newton(theta, without);
      double largest = 0.0;
      for (const double each : change) largest = std::max(largest, std::abs(each));
      theta -= change / std::max(1.0, largest);  // whole steps once they are short
      if (largest < 1e-12) break;
    }
    return theta;
  }

  /// H⁻¹ · gradient, both without a row.
  Tensor<2> newton(const Tensor<2>& theta, std::optional<std::size_t> without) const {
    Tensor<2> hessian = xt::zeros<double>({c_ * height_, c_ * height_});
    Tensor<2> gradient = xt::zeros<double>({c_ * height_, std::size_t{1}});
    for (std::size_t a = 0; a < c_ * height_; ++a) {
      const bool is_bias = a % height_ == d_;
      if (!is_bias) hessian(a, a) += problem_.strength;
      if (!is_bias) gradient(a, 0) += problem_.strength * theta(a, 0);
      for (std::size_t b = 0; b < c_ * height_ && is_bias; ++b) {  // of equal biases
        if (b % height_ == d_) hessian(a, b) += is_single() ? 1e-3 : 0.0;
      }
    }
    for (std::size_t i = 0; i < n_; ++i) {
      if (i != without) add(theta, i, hessian, gradient);
    }
    return solve(hessian, gradient);
  }

  /// [c] in units of the values.
  std::vector<double> logits(const Tensor<2>& theta) const {
    std::vector<double> found = scores(theta, column(problem_.text.data()));
    for (double& value : found) value *= value_scale_;
    return found;
  }

  /// As the model has it: for vectors and values as they are.
  LinearHead head(const Tensor<2>& theta) const {
    LinearHead head{std::vector<float>(c_ * d_), {}};
    for (std::size_t k = 0; k < c_; ++k) {
      double bias = problem_.options.has_bias ? theta(k * height_ + d_, 0) : 0.0;
      for (std::size_t j = 0; j < d_; ++j) {
        const double weight = theta(k * height_ + j, 0) / scale_;
        bias -= weight * mean_[j];
        head.weight[k * d_ + j] = static_cast<float>(weight * value_scale_);
      }
      if (!problem_.options.has_bias) continue;
      head.bias.push_back(static_cast<float>(bias * value_scale_ + value_mean_));
    }
    return head;
  }

 private:
  bool is_single() const { return problem_.options.problem_type == ProblemType::single_label; }

  void scale_values() {
    if (problem_.options.problem_type != ProblemType::regression) return;
    const auto n = static_cast<double>(n_);
    for (const Gold& target : problem_.targets) {
      if (problem_.options.has_bias) value_mean_ += target.value / n;
    }
    double squares = 0.0;
    for (const Gold& target : problem_.targets) {
      squares += (target.value - value_mean_) * (target.value - value_mean_);
    }
    value_scale_ = std::sqrt(squares / n);
  }

  void balance() {
    std::vector<double> counts(c_);
    for (const Gold& target : problem_.targets) {
      for (const std::size_t label : target.labels) counts[label] += 1.0;
    }
    const auto n = static_cast<double>(n_);
    const double sides =
        is_single() ? static_cast<double>(c_ - std::ranges::count(counts, 0.0)) : 2.0;
    for (std::size_t k = 0; k < c_; ++k) {
      if (counts[k] > 0.0) present_[k] = n / (sides * counts[k]);
      if (counts[k] < n) absent_[k] = n / (sides * (n - counts[k]));
    }
  }

  std::vector<double> column(const float* x) const {
    std::vector<double> column(height_, 1.0);
    for (std::size_t j = 0; j < d_; ++j) column[j] = (x[j] - mean_[j]) / scale_;
    return column;
  }

  std::vector<double> scores(const Tensor<2>& theta, const std::vector<double>& x) const {
    std::vector<double> found(c_);
    for (std::size_t a = 0; a < c_ * height_; ++a)
      found[a / height_] += theta(a, 0) * x[a % height_];
    return found;
  }

  void add(const Tensor<2>& theta, std::size_t row, Tensor<2>& hessian, Tensor<2>& gradient) const {
    const std::vector<double> x = column(problem_.vectors.data() + row * d_);
    const std::vector<double> s = scores(theta, x);
    const Gold& target = problem_.targets[row];
    std::vector<double> p(c_);
    double sum = 0.0;
    for (const double score : s) sum += std::exp(score);
    for (std::size_t k = 0; k < c_; ++k) {
      p[k] = is_single() ? std::exp(s[k]) / sum : 1.0 / (1.0 + std::exp(-s[k]));
    }
    for (std::size_t k = 0; k < c_; ++k) {
      const bool has = std::ranges::count(target.labels, k) > 0;
      const double weight = is_single() ? present_[target.labels[0]]
                            : has       ? present_[k]
                                        : absent_[k];
      const bool line = problem_.options.problem_type == ProblemType::regression;
      const double wanted = (target.value - value_mean_) / value_scale_;
      const double r = line ? s[k] - wanted : weight * (p[k] - (has ? 1.0 : 0.0));
      for (std::size_t j = 0; j < height_; ++j) gradient(k * height_ + j, 0) += r * x[j];
      for (std::size_t l = 0; l < c_; ++l) {
        if (l != k && !is_single()) continue;
        const double own = l == k ? p[k] : 0.0;
        const double w = line ? 1.0 : weight * (own - p[k] * p[l]);
        for (std::size_t j = 0; j < height_ * height_; ++j) {
          const std::size_t a = j / height_;
          const std::size_t b = j % height_;
          hessian(k * height_ + a, l * height_ + b) += w * x[a] * x[b];
        }
      }
    }
  }

  const Problem& problem_;
  std::size_t n_;
  std::size_t d_;
  std::size_t c_;
  std::size_t height_;
  std::vector<double> mean_;
  double scale_ = 1.0;
  double value_mean_ = 0.0;
  double value_scale_ = 1.0;
  std::vector<double> present_;
  std::vector<double> absent_;
};

struct Case {
  std::string name;
  HeadFittingOptions options;
  std::size_t n;
  std::size_t d;

  /// Whether the labels depend on each other, and the inverse is that of their blocks alone.
  bool is_rough(std::size_t form) const {
    return form == 1 && options.problem_type == ProblemType::single_label && options.classes > 2;
  }
};

std::vector<Case> cases() {
  using enum ProblemType;
  const ClassWeights none = ClassWeights::none;
  const ClassWeights balanced = ClassWeights::balanced;
  return {{"three labels", {single_label, 3, none, true}, 60, 4},
          {"two labels, balanced", {single_label, 2, balanced, true}, 31, 7},
          {"without bias", {single_label, 5, none, false}, 77, 3},
          {"more labels than rows of some", {single_label, 13, balanced, true}, 40, 5},
          {"several labels", {multi_label, 4, none, true}, 50, 6},
          {"several labels, balanced, without bias", {multi_label, 9, balanced, false}, 45, 9},
          {"a value", {regression, 1, none, true}, 40, 5},
          {"a value without bias", {regression, 1, none, false}, 300, 8},
          {"one number", {single_label, 2, none, true}, 25, 1}};
}

// The most parameters of a whole inverse: with it, and with those of the labels.
const std::vector<std::size_t> kForms = {3072, 0};

std::vector<RowEffect> strongest(const Problem& problem, const LinearHead& head,
                                 std::size_t most_whole, std::size_t label) {
  HeadHessian hessian(problem.rows(), problem.options, head, problem.strength, most_whole);
  hessian.invert([](double) {});
  return strongest_rows(hessian, problem.text, {label}, problem.targets.size());
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mx = 0.0;
  double my = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
  double xy = 0.0;
  double xx = 0.0;
  double yy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  return xy / std::sqrt(xx * yy);
}

TEST_CASE("the effect of a row is that of a Newton step without it, in all forms of the inverse") {
  for (const Case& each : cases()) {
    const Problem problem = random_problem(each.options, each.n, each.d);
    const Reference reference(problem);
    const Tensor<2> theta = reference.fit({});
    const std::vector<double> whole = reference.logits(theta);
    for (std::size_t form = 0; form < kForms.size(); ++form) {
      CAPTURE(each.name);
      CAPTURE(form);
      const auto found = strongest(problem, reference.head(theta), kForms[form], 0);
      REQUIRE(found.size() == each.n);
      double scale = 0.0;
      std::vector<double> effects;
      std::vector<double> expected;
      for (const RowEffect& row : found) {
        for (const double effect : row.effect) scale = std::max(scale, std::abs(effect));
      }
      for (const RowEffect& row : found) {
        const Tensor<2> changed = theta - reference.newton(theta, row.row);
        const std::vector<double> logits = reference.logits(changed);
        effects.push_back(row.effect[0]);
        expected.push_back(whole[0] - logits[0]);
        for (std::size_t k = 0; k < logits.size() && !each.is_rough(form); ++k) {
          REQUIRE(std::abs(row.effect[k] - (whole[k] - logits[k])) < 1e-4 * scale);
        }
      }
      CHECK(correlation(effects, expected) > 0.95);
    }
  }
}

TEST_CASE("the effects are those of fits without the rows, and in their order") {
  for (const Case& each : cases()) {
    CAPTURE(each.name);
    const Problem problem = random_problem(each.options, each.n, each.d);
    const Reference reference(problem);
    const Tensor<2> theta = reference.fit({});
    const double whole = reference.logits(theta).back();
    const std::size_t label = each.options.classes - 1;
    const auto found = strongest(problem, reference.head(theta), kForms[0], label);
    std::vector<double> step;
    std::vector<double> fitted;
    for (const RowEffect& row : found) {
      if (!step.empty()) CHECK(std::abs(row.effect[label]) <= std::abs(step.back()));
      step.push_back(row.effect[label]);
      fitted.push_back(whole - reference.logits(reference.fit(row.row)).back());
    }
    CHECK(correlation(step, fitted) > 0.96);
  }
}

TEST_CASE("the effects do not depend on the number of threads") {
  const Problem problem = random_problem({ProblemType::single_label, 5, {}, true}, 700, 19);
  const Reference reference(problem);
  const LinearHead head = reference.head(reference.fit({}));
  for (const std::size_t most_whole : kForms) {
    std::vector<RowEffect> first;
    for (const std::size_t threads : {1U, 2U, 3U}) {
      const ThreadPermit permit(threads);
      const auto found = strongest(problem, head, most_whole, 1);
      if (first.empty()) first = found;
      for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(found[i].row == first[i].row);
        CHECK(found[i].effect == first[i].effect);
      }
    }
  }
}

TEST_CASE("equal rows and the only row of a label have finite effects") {
  Problem problem = random_problem({ProblemType::single_label, 3, {}, true}, 12, 4);
  for (std::size_t i = 0; i < 12; ++i) {
    problem.targets[i].labels = {i == 0 ? std::size_t{2} : i % 2};
    std::copy_n(problem.vectors.begin(), 4, problem.vectors.begin() + static_cast<long>(i / 2 * 8));
  }
  const Reference reference(problem);
  for (const std::size_t most_whole : kForms) {
    const auto found = strongest(problem, reference.head(reference.fit({})), most_whole, 2);
    CHECK(found.front().row == 0);
    for (const RowEffect& row : found) {
      for (const double effect : row.effect) CHECK(std::isfinite(effect));
    }
  }
}

TEST_CASE("several labels of a text count by the largest effect on one of them") {
  const Problem problem = random_problem({ProblemType::multi_label, 3, {}, true}, 30, 5);
  const Reference reference(problem);
  const LinearHead head = reference.head(reference.fit({}));
  HeadHessian hessian(problem.rows(), problem.options, head, problem.strength);
  hessian.invert([](double) {});
  const auto found = strongest_rows(hessian, problem.text, {0, 2}, 4);
  REQUIRE(found.size() == 4);
  double before = HUGE_VAL;
  for (const RowEffect& row : found) {
    const double largest = std::max(std::abs(row.effect[0]), std::abs(row.effect[2]));
    CHECK(largest <= before);
    before = largest;
  }
}

TEST_CASE("a loss without curvature is refused") {
  Problem problem = random_problem({ProblemType::regression, 1, {}, true}, 3, 5);
  problem.strength = 0.0;
  HeadHessian hessian(problem.rows(), problem.options, {std::vector<float>(5), {0.0F}}, 0.0);
  CHECK_THROWS_AS(hessian.invert([](double) {}), Error);
}

}  // namespace
}  // namespace headlight::head_influence_test
