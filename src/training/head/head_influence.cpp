#include "training/head/head_influence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "math/tensor.h"

namespace headlight {
namespace {

constexpr std::size_t kFewestCandidates = 256;  // with the inverse
constexpr std::size_t kCandidatesPerRow = 4;    // of those that are asked for, without it
constexpr std::size_t kColumnsAtOnce = 1024;    // of systems that are solved together
constexpr std::size_t kActiveLabels = 8;        // of a candidate
/// Until when conjugate gradients go on.
struct Accuracy {
  SolveLimits solution;    // that chooses the candidates
  SolveLimits candidates;  // which chooses those that are shown
  SolveLimits shown;       // effects on other labels; that on the label is much more exact
};
constexpr Accuracy kHigh = {{1e-5, 300}, {1e-4, 200}, {1e-5, 300}};
// For large problems: effects with two digits, on the label with three, in two seconds for 10,000
// rows of 77 labels.
constexpr Accuracy kEnough = {{1e-2, 40}, {2e-2, 8}, {2e-2, 40}};
constexpr std::size_t kLargeProblem = 50'000'000;  // rows · labels · numbers of a row

const Accuracy& accuracy_for(const HeadHessian& hessian) {
  const std::size_t size = hessian.rows() * hessian.labels() * hessian.height();
  return size < kLargeProblem ? kHigh : kEnough;
}

double dot(const double* x, const double* y, std::size_t n) {
  return std::inner_product(x, x + n, y, 0.0);
}

/// The largest effect on one of the labels.
double strength_of(const RowEffect& row, const std::vector<std::size_t>& labels) {
  double largest = 0.0;
  for (const std::size_t label : labels) largest = std::max(largest, std::abs(row.effect[label]));
  return largest;
}

/// Strongest first, at most `most`.
void keep_strongest(std::vector<RowEffect>& rows, const std::vector<std::size_t>& labels,
                    std::size_t most) {
  std::ranges::stable_sort(rows, [&](const RowEffect& one, const RowEffect& other) {
    return strength_of(one, labels) > strength_of(other, labels);
  });
  if (rows.size() > most) rows.resize(most);
}

/// S = H⁻¹ (e ⊗ z) for a label and a text z, as columns [p, stride] of the labels.
std::vector<double> solution(const HeadHessian& hessian, const std::vector<double>& z,
                             std::size_t label, std::size_t stride) {
  const std::size_t p = hessian.height();
  const std::size_t c = hessian.labels();
  std::vector<double> columns(p * stride);
  if (!hessian.is_exact()) {
    std::vector<std::size_t> all(c);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<double> b(p * stride);
    for (std::size_t j = 0; j < p; ++j) b[j * stride + label] = z[j];
    hessian.solve({{all, {}}}, b, stride, accuracy_for(hessian).solution, columns);
    return columns;
  }
  for (std::size_t k = 0; k < c; ++k) {
    if (k != label && !hessian.is_coupled()) continue;
    const StridedDoubles inverse = hessian.inverse(k, label);
    for (std::size_t j = 0; j < p; ++j) {
      columns[j * stride + k] = dot(inverse.data + j * inverse.row_stride, z.data(), p);
    }
  }
  return columns;
}

/// The `most` rows with the largest effect without leverage, -S (x ⊗ r), of one of the solutions.
std::vector<std::size_t> candidates(const HeadHessian& hessian,
                                    const std::vector<std::vector<double>>& solutions,
                                    std::size_t most) {
  const std::size_t c = hessian.labels();
  const std::size_t stride = whole_panels(c);
  std::vector<double> largest(hessian.rows());
  for (const std::vector<double>& columns : solutions) {
    hessian.score(columns, stride, [&](const RowBlock& rows, const auto&, const auto& scores) {
      for (std::size_t i = 0; i < rows.count; ++i) {
        const double* r = hessian.derivatives().gradient.data() + (rows.first + i) * c;
        const double effect = std::abs(dot(scores.data() + i * stride, r, c));
        largest[rows.first + i] = std::max(largest[rows.first + i], effect);
      }
    });
  }
  std::vector<std::size_t> order(largest.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](auto i, auto j) { return largest[i] > largest[j]; });
  if (order.size() > most) order.resize(most);
  return order;
}

/// xᵀ H⁻¹ x and zᵀ H⁻¹ x of some rows x, for each pair of labels that depend on each other.
struct InverseForms {
  std::size_t pairs = 0;   // m: c², or c
  std::vector<double> xx;  // [rows, m]
  std::vector<double> zx;  // [rows, m]
};

InverseForms inverse_forms(const HeadHessian& hessian, const std::vector<double>& z,
                           const std::vector<std::size_t>& rows) {
  const std::size_t p = hessian.height();
  const std::size_t c = hessian.labels();
  const std::size_t stride = whole_panels(rows.size());
  std::vector<double> x(p);
  std::vector<double> columns(p * stride);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    hessian.copy_rows(rows[i], 1, x.data());
    for (std::size_t j = 0; j < p; ++j) columns[j * stride + i] = x[j];
  }
  InverseForms forms;
  forms.pairs = hessian.is_coupled() ? c * c : c;
  forms.xx.resize(rows.size() * forms.pairs);
  forms.zx.resize(forms.xx.size());
  share_work(forms.pairs, [&](std::size_t pair) {
    const std::size_t label = hessian.is_coupled() ? pair / c : pair;
    std::vector<double> product(p * stride);
    add_double_product({p, p, stride}, hessian.inverse(label, pair % c), columns.data(),
                       product.data(), stride);
    for (std::size_t j = 0; j < p; ++j) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        forms.xx[i * forms.pairs + pair] += columns[j * stride + i] * product[j * stride + i];
        forms.zx[i * forms.pairs + pair] += z[j] * product[j * stride + i];
      }
    }
  });
  return forms;
}

/// (I - W A)⁻¹ r of a row, where `a` has A.
std::vector<double> without_leverage(const HeadHessian& hessian, std::size_t row, const double* a) {
  const std::size_t c = hessian.labels();
  const RowDerivatives& all = hessian.derivatives();
  const double* s = all.curvature.data() + row * c;
  const double* r = all.gradient.data() + row * c;
  if (!hessian.is_coupled()) {
    std::vector<double> alone(r, r + c);
    for (std::size_t k = 0; k < c; ++k) alone[k] /= 1.0 - s[k] * a[k];
    return alone;
  }
  const Tensor<1> curvature = view_of<1>(std::span(s, c), {c});
  const Tensor<2> leverage = view_of<2>(std::span(a, c * c), {c, c});
  const Tensor<2> w = xt::diag(curvature) - column(curvature) * curvature / all.weight[row];
  const Tensor<2> left = xt::eye<double>(c) - product(w, leverage);
  const Tensor<2> right = view_of<2>(std::span(r, c), {c, std::size_t{1}});
  return numbers_of(solve(left, right));
}

/// The effects of these rows by the inverse of H.
std::vector<RowEffect> by_inverse(const HeadHessian& hessian, const std::vector<double>& z,
                                  const std::vector<std::size_t>& rows) {
  const std::size_t c = hessian.labels();
  const InverseForms forms = inverse_forms(hessian, z, rows);
  std::vector<RowEffect> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> r =
        without_leverage(hessian, rows[i], forms.xx.data() + i * forms.pairs);
    const double* zx = forms.zx.data() + i * forms.pairs;
    RowEffect row{rows[i], std::vector<double>(c)};
    for (std::size_t k = 0; k < c; ++k) {
      row.effect[k] = hessian.is_coupled() ? -dot(zx + k * c, r.data(), c) : -zx[k] * r[k];
    }
    found.push_back(std::move(row));
  }
  return found;
}

/// `label` and the labels whose scores the row changes most, at most `most` in all.
std::vector<std::size_t> active_labels(const HeadHessian& hessian, std::size_t row,
                                       std::size_t label, std::size_t most) {
  const std::size_t c = hessian.labels();
  const double* r = hessian.derivatives().gradient.data() + row * c;
  std::vector<std::size_t> labels(c);
  std::iota(labels.begin(), labels.end(), std::size_t{0});
  if (most >= c) return labels;
  const auto weight = [&](std::size_t k) { return k == label ? HUGE_VAL : std::abs(r[k]); };
  std::ranges::stable_sort(labels, [&](auto k, auto l) { return weight(k) > weight(l); });
  labels.resize(most);
  return labels;
}

/// A solution of (H - Hᵢ) δ = gᵢ of a row, as far as it is known, and its residual: columns [m, p]
/// of some labels.
struct RowStep {
  std::size_t row = 0;
  std::vector<std::size_t> labels;
  std::vector<double> columns;
  std::vector<double> residual;
};

/// The step with other labels; those that it lacks begin at 0.
RowStep with_labels(const RowStep& step, std::vector<std::size_t> labels, std::size_t p) {
  RowStep other{step.row, std::move(labels), {}, {}};
  other.columns.resize(other.labels.size() * p);
  for (std::size_t m = 0; m < step.labels.size(); ++m) {
    const auto at = std::ranges::find(other.labels, step.labels[m]) - other.labels.begin();
    std::copy_n(step.columns.begin() + static_cast<std::ptrdiff_t>(m * p), p,
                other.columns.begin() + at * static_cast<std::ptrdiff_t>(p));
  }
  return other;
}

/// Improves some steps by conjugate gradients.
void solve_together(const HeadHessian& hessian, const SolveLimits& limits,
                    std::span<RowStep> steps) {
  const std::size_t p = hessian.height();
  const std::size_t c = hessian.labels();
  std::size_t columns = 0;
  for (const RowStep& step : steps) columns += step.labels.size();
  const std::size_t stride = whole_panels(columns);
  std::vector<HessianSystem> systems;
  std::vector<double> g(p * stride);
  std::vector<double> change(p * stride);
  std::vector<double> x(p);
  std::size_t column = 0;
  for (const RowStep& step : steps) {
    systems.push_back({step.labels, step.row});
    hessian.copy_rows(step.row, 1, x.data());
    for (std::size_t m = 0; m < step.labels.size(); ++m, ++column) {
      const double r = hessian.derivatives().gradient[step.row * c + step.labels[m]];
      for (std::size_t j = 0; j < p; ++j) {
        g[j * stride + column] = r * x[j];
        change[j * stride + column] = step.columns[m * p + j];
      }
    }
  }
  const std::vector<double> residual = hessian.solve(systems, g, stride, limits, change);
  column = 0;
  for (RowStep& step : steps) {
    step.residual.resize(step.columns.size());
    for (std::size_t m = 0; m < step.labels.size(); ++m, ++column) {
      for (std::size_t j = 0; j < p; ++j) {
        step.columns[m * p + j] = change[j * stride + column];
        step.residual[m * p + j] = residual[j * stride + column];
      }
    }
  }
}

void solve_all(const HeadHessian& hessian, const SolveLimits& limits, std::vector<RowStep>& steps,
               const WorkDone& done) {
  const std::size_t most = std::max<std::size_t>(1, kColumnsAtOnce / steps.front().labels.size());
  for (std::size_t first = 0; first < steps.size(); first += most) {
    const std::size_t count = std::min(most, steps.size() - first);
    solve_together(hessian, limits, std::span(steps).subspan(first, count));
    done(static_cast<double>(first + count) / static_cast<double>(steps.size()));
  }
}

/// The effects of the steps on a text. That on `label` also has what the residual will add, by its
/// solution S [p, stride], if no label is held: the error is then the product of the errors of
/// both.
std::vector<RowEffect> effects_of(const HeadHessian& hessian, const std::vector<double>& z,
                                  std::size_t label, const std::vector<double>& solution,
                                  const std::vector<RowStep>& steps) {
  const std::size_t stride = solution.size() / z.size();
  std::vector<RowEffect> found;
  for (const RowStep& step : steps) {
    double rest = 0.0;
    found.push_back({step.row, std::vector<double>(hessian.labels())});
    for (std::size_t m = 0; m < step.labels.size(); ++m) {
      found.back().effect[step.labels[m]] =
          -dot(step.columns.data() + m * z.size(), z.data(), z.size());
      for (std::size_t j = 0; j < z.size(); ++j) {
        rest += step.residual[m * z.size() + j] * solution[j * stride + step.labels[m]];
      }
    }
    if (step.labels.size() == hessian.labels()) found.back().effect[label] -= rest;
  }
  return found;
}

/// The strongest rows by conjugate gradients: first roughly, where labels that a row changes little
/// are held, then the strongest of them in full.
std::vector<RowEffect> by_solving(const HeadHessian& hessian, const std::vector<double>& z,
                                  std::size_t label, std::size_t most, const WorkDone& done) {
  const std::vector<double> s = solution(hessian, z, label, whole_panels(hessian.labels()));
  std::vector<RowStep> steps;
  for (const std::size_t row : candidates(hessian, {s}, kCandidatesPerRow * most)) {
    steps.push_back(with_labels({row, {}, {}, {}},
                                active_labels(hessian, row, label, kActiveLabels), z.size()));
  }
  solve_all(hessian, accuracy_for(hessian).candidates, steps,
            [&](double share) { done(share / 2.0); });
  std::vector<RowEffect> found = effects_of(hessian, z, label, s, steps);
  keep_strongest(found, {label}, most);
  std::vector<RowStep> kept;
  for (const RowEffect& each : found) {
    const auto step = std::ranges::find(steps, each.row, &RowStep::row);
    kept.push_back(
        with_labels(*step, active_labels(hessian, each.row, label, hessian.labels()), z.size()));
  }
  solve_all(hessian, accuracy_for(hessian).shown, kept,
            [&](double share) { done(0.5 + share / 2.0); });
  found = effects_of(hessian, z, label, s, kept);
  keep_strongest(found, {label}, most);
  return found;
}

}  // namespace

std::vector<RowEffect> strongest_rows(const HeadHessian& hessian, std::span<const float> x,
                                      const std::vector<std::size_t>& labels, std::size_t most,
                                      const WorkDone& done) {
  const std::vector<double> z = hessian.column_of(x);
  std::vector<RowEffect> found;
  if (hessian.is_exact()) {
    std::vector<std::vector<double>> solutions;
    solutions.reserve(labels.size());
    for (const std::size_t label : labels) {
      solutions.push_back(solution(hessian, z, label, whole_panels(hessian.labels())));
    }
    const std::size_t wanted = std::max(kFewestCandidates, 2 * most);
    found = by_inverse(hessian, z, candidates(hessian, solutions, wanted));
    keep_strongest(found, labels, most);
  } else {
    found = by_solving(hessian, z, labels.front(), most, done);
  }
  for (RowEffect& row : found) {
    for (double& effect : row.effect) effect *= hessian.loss().unit();
  }
  return found;
}

}  // namespace headlight
