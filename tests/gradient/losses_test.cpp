#include "gradient/losses.h"

#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "close_to.h"
#include "math/random_matrix.h"

namespace headlight::losses_test {
namespace {

using MatrixLoss = std::function<double(ConstMatrix, Matrix)>;

/// The gradient agrees with central differences; what stood in it before stays.
void check_gradient(const MatrixLoss& loss, std::size_t rows, std::size_t cols) {
  constexpr float kStep = 0x1p-9F;
  RandomMatrix x(rows, cols, 7, 3);
  RandomMatrix found(rows, cols, 8, 2);
  const RandomMatrix before = found;
  loss(x.view(), found.view());
  RandomMatrix unused(rows, cols, 9);
  std::vector<double> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      float& value = x.view().row(i)[j];
      const float own = value;
      const float above = own + kStep;
      const float below = own - kStep;
      value = above;
      const double high = loss(x.view(), unused.view());
      value = below;
      const double low = loss(x.view(), unused.view());
      value = own;
      expected.push_back(double{before.view().row(i)[j]} +
                         (high - low) / (double{above} - double{below}));
    }
  }
  CHECK(close_to(elements(found.view()), expected, {.absolute = 2e-5, .relative = 2e-5}));
}

TEST_CASE("the gradient of each loss agrees with its differences") {
  const std::vector<std::uint32_t> labels = {1, kNoTarget, 0, 4};
  const std::vector<float> weights = {0.5F, 2.0F, 1.0F, 1.0F, 3.0F};
  RandomMatrix shares(4, 5, 1);
  for (std::size_t i = 0; i < 4; ++i) {
    for (float& share : shares.view().row(i)) share = share > 0.0F ? 1.0F : 0.0F;
  }
  RandomMatrix teacher(4, 5, 2, 1);
  for (std::size_t i = 0; i < 4; ++i) {
    for (float& logit : teacher.view().row(i)) logit *= 3.0F;
  }
  const ConstMatrix taught = teacher.view();
  const std::vector<MatrixLoss> losses = {
      [&](ConstMatrix x, Matrix g) { return cross_entropy(x, labels, 0.0F, {}, g); },
      [&](ConstMatrix x, Matrix g) {
        return cross_entropy(x, labels, 0.1F, {0.5F, weights}, g);
      },
      [&](ConstMatrix x, Matrix g) {
        return binary_cross_entropy(x, shares.view(), {0.5F, weights}, g);
      },
      [&](ConstMatrix x, Matrix g) { return squared_error(x, taught, 0.7F, g); },
      [&](ConstMatrix x, Matrix g) { return teacher_divergence(x, taught, 2.0F, 0.7F, g); },
      [&](ConstMatrix x, Matrix g) { return binary_teacher_divergence(x, taught, 2.0F, 0.7F, g); },
      [&](ConstMatrix x, Matrix g) { return cosine_distance(x, taught, 0.7F, g); }};
  for (std::size_t i = 0; i < losses.size(); ++i) {
    CAPTURE(i);
    check_gradient(losses[i], 4, 5);
  }
}

TEST_CASE("the loss of pairs and its gradient are those of its formula") {
  const std::vector<std::uint32_t> labels = {2, 0, 2, 5, 0, 2, 9};  // two rows are alone
  const auto cosine = [](std::span<const float> a, std::span<const float> b) {
    double sums[3] = {};
    for (std::size_t j = 0; j < a.size(); ++j) {
      sums[0] += double{a[j]} * double{b[j]};
      sums[1] += double{a[j]} * double{a[j]};
      sums[2] += double{b[j]} * double{b[j]};
    }
    return sums[0] / std::sqrt(sums[1] * sums[2]);
  };
  for (const std::size_t width : {1U, 3U, 17U}) {
    RandomMatrix x(labels.size(), width, 11, 2);
    double same = 0.0;  // 4 of 21 pairs
    double other = 0.0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      for (std::size_t a = 0; a < i; ++a) {
        const double near = cosine(x.view().row(i), x.view().row(a));
        (labels[a] == labels[i] ? same : other) +=
            labels[a] == labels[i] ? (1.0 - near) * (1.0 - near) : near * near;
      }
    }
    const double expected = 0.5 * (same / 4.0 + other / 17.0);
    const MatrixLoss loss = [&](ConstMatrix vectors, Matrix gradient) {
      return pair_loss(vectors, labels, 0.7F, gradient);
    };
    RandomMatrix unused(labels.size(), width, 1);
    CHECK(loss(x.view(), unused.view()) == doctest::Approx(0.7 * expected));
    if (width > 1) check_gradient(loss, labels.size(), width);
  }
}

TEST_CASE("the losses have the values of their formulas") {
  const std::vector<float> logits = {1.0F, 3.0F, 0.0F};
  const ConstMatrix x(logits.data(), 1, 3);
  std::vector<float> slopes(3, 0.0F);
  const Matrix g(slopes.data(), 1, 3);
  const double log_sum = std::log(std::exp(1.0) + std::exp(3.0) + 1.0);
  const std::vector<std::uint32_t> label = {1};
  CHECK(cross_entropy(x, label, 0.0F, {}, g) == doctest::Approx(log_sum - 3.0));
  // The smoothed target is 0.9 + 0.1 / 3 at the label, else 0.1 / 3.
  CHECK(cross_entropy(x, label, 0.1F, {}, g) ==
        doctest::Approx(log_sum - 0.9 * 3.0 - 0.1 / 3.0 * 4.0));
  CHECK(cross_entropy(x, label, 0.0F, {0.5F, std::vector<float>{1.0F, 4.0F, 1.0F}}, g) ==
        doctest::Approx(2.0 * (log_sum - 3.0)));
  const std::vector<float> targets = {1.0F, 0.0F, 0.0F};
  const ConstMatrix y(targets.data(), 1, 3);
  CHECK(binary_cross_entropy(x, y, {}, g) ==
        doctest::Approx(std::log1p(std::exp(-1.0)) + std::log1p(std::exp(3.0)) + std::log(2.0)));
  CHECK(squared_error(x, y, 1.0F, g) == doctest::Approx(9.0 / 3.0));
  CHECK(teacher_divergence(x, x, 3.0F, 1.0F, g) == doctest::Approx(0.0));
  CHECK(binary_teacher_divergence(x, x, 3.0F, 1.0F, g) == doctest::Approx(0.0));
  CHECK(cosine_distance(x, y, 1.0F, g) == doctest::Approx(1.0 - 1.0 / std::sqrt(10.0)));
}

TEST_CASE("losses of huge logits and of vectors of zeros are finite") {
  const std::vector<float> logits = {1e30F, -1e30F, 0.0F};
  const ConstMatrix x(logits.data(), 1, 3);
  const std::vector<float> zeros(3, 0.0F);
  const ConstMatrix none(zeros.data(), 1, 3);
  std::vector<float> slopes(3, 0.0F);
  const Matrix g(slopes.data(), 1, 3);
  const std::vector<std::uint32_t> label = {0};
  CHECK(std::isfinite(cross_entropy(x, label, 0.1F, {}, g)));
  CHECK(std::isfinite(binary_cross_entropy(x, none, {}, g)));
  CHECK(std::isfinite(teacher_divergence(none, x, 1.0F, 1.0F, g)));
  CHECK(std::isfinite(binary_teacher_divergence(none, x, 1.0F, 1.0F, g)));
  CHECK(cosine_distance(none, x, 1.0F, g) == 1.0);
  const std::vector<float> pair = {0.0F, 0.0F, 0.0F, 1e30F, -1e30F, 0.0F};
  std::vector<float> pair_slopes(6, 0.0F);
  const std::vector<std::uint32_t> same = {3, 3};
  CHECK(pair_loss({pair.data(), 2, 3}, same, 1.0F, {pair_slopes.data(), 2, 3}) ==
        doctest::Approx(0.5));
  slopes.insert(slopes.end(), pair_slopes.begin(), pair_slopes.end());
  for (const float slope : slopes) CHECK(std::isfinite(slope));
}

}  // namespace
}  // namespace headlight::losses_test
