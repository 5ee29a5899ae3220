#include "training/head/head_influence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "math/tensor.h"

namespace headlight {
namespace {

constexpr std::size_t kFewestCandidates = 256;
constexpr std::size_t kSystemsAtOnce = 16;
/// Until when conjugate gradients go on.
struct Accuracy {
  SolveLimits solution;  // that chooses the rows
  SolveLimits effects;   // on other labels; that on the label is much more exact
};
constexpr Accuracy kHigh = {{1e-5, 300}, {1e-5, 300}};
// For large problems: effects with two digits, on the label with three, in two seconds for 10,000
// rows of 77 labels.
constexpr Accuracy kEnough = {{1e-2, 40}, {2e-2, 40}};
constexpr std::size_t kLargeProblem = 50'000'000;  // rows · labels · numbers of a row

const Accuracy& accuracy_for(const HeadHessian& hessian) {
  const std::size_t size = hessian.rows() * hessian.labels() * hessian.height();
  return size < kLargeProblem ? kHigh : kEnough;
}

/// How many rows are looked at for the `most` strongest.
std::size_t wanted_of(std::size_t most) { return std::max(kFewestCandidates, 2 * most); }

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
    std::vector<double> b(p * stride);
    for (std::size_t j = 0; j < p; ++j) b[j * stride + label] = z[j];
    const LeftOut none;
    hessian.solve({&none, 1}, b, stride, accuracy_for(hessian).solution, columns);
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

/// xᵀ H⁻¹ x and zᵀ H⁻¹ x of some rows x, for each pair of labels of which the inverse has a block.
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
  forms.pairs = hessian.is_whole() ? c * c : c;
  forms.xx.resize(rows.size() * forms.pairs);
  forms.zx.resize(forms.xx.size());
  share_work(forms.pairs, [&](std::size_t pair) {
    const std::size_t label = hessian.is_whole() ? pair / c : pair;
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

/// (I - W A)⁻¹ r of a row, where `a` has A, or its diagonal.
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
  Tensor<2> leverage = xt::zeros<double>({c, c});
  for (std::size_t k = 0; k < c; ++k) leverage(k, k) = a[k];
  if (hessian.is_whole()) leverage = view_of<2>(std::span(a, c * c), {c, c});
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

/// The `most` of these rows with the largest effect on `label`, which has the solution S [p,
/// stride], by the leverage of each label alone.
std::vector<std::size_t> strongest_by_blocks(const HeadHessian& hessian,
                                             const std::vector<double>& z,
                                             const std::vector<double>& solution, std::size_t label,
                                             const std::vector<std::size_t>& rows,
                                             std::size_t most) {
  const std::size_t c = hessian.labels();
  const std::size_t stride = solution.size() / z.size();
  const InverseForms forms = inverse_forms(hessian, z, rows);
  std::vector<double> x(z.size());
  std::vector<RowEffect> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    hessian.copy_rows(rows[i], 1, x.data());
    const std::vector<double> r = without_leverage(hessian, rows[i], forms.xx.data() + i * c);
    found.push_back({rows[i], std::vector<double>(c)});
    for (std::size_t j = 0; j < x.size(); ++j) {
      found.back().effect[label] -= x[j] * dot(solution.data() + j * stride, r.data(), c);
    }
  }
  keep_strongest(found, {label}, most);
  std::vector<std::size_t> kept;
  kept.reserve(found.size());
  for (const RowEffect& row : found) kept.push_back(row.row);
  return kept;
}

/// The effects of some rows by solutions δ of (H - Hᵢ) δ = gᵢ. That on `label` also has what the
/// residual will add, by the solution S [p, s] of the label: the error is then the product of the
/// errors of both.
std::vector<RowEffect> by_steps(const HeadHessian& hessian, const std::vector<double>& z,
                                const std::vector<double>& solution, std::size_t label,
                                std::span<const std::size_t> rows) {
  const std::size_t p = z.size();
  const std::size_t c = hessian.labels();
  const std::size_t stride = whole_panels(rows.size() * c);
  std::vector<double> g(p * stride);
  std::vector<double> step(p * stride);
  std::vector<double> x(p);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    hessian.copy_rows(rows[i], 1, x.data());
    const double* r = hessian.derivatives().gradient.data() + rows[i] * c;
    for (std::size_t j = 0; j < p; ++j) {
      for (std::size_t k = 0; k < c; ++k) g[j * stride + i * c + k] = r[k] * x[j];
    }
  }
  const std::vector<LeftOut> systems(rows.begin(), rows.end());
  const std::vector<double> residual =
      hessian.solve(systems, g, stride, accuracy_for(hessian).effects, step);
  std::vector<RowEffect> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RowEffect row{rows[i], std::vector<double>(c)};
    for (std::size_t j = 0; j < p; ++j) {
      const std::size_t at = j * stride + i * c;
      for (std::size_t k = 0; k < c; ++k) row.effect[k] -= step[at + k] * z[j];
      row.effect[label] -=
          dot(residual.data() + at, solution.data() + j * (solution.size() / p), c);
    }
    found.push_back(std::move(row));
  }
  return found;
}

/// The strongest rows by conjugate gradients.
std::vector<RowEffect> by_solving(const HeadHessian& hessian, const std::vector<double>& z,
                                  std::size_t label, std::size_t most, const WorkDone& done) {
  const std::vector<double> s = solution(hessian, z, label, whole_panels(hessian.labels()));
  const std::vector<std::size_t> rows = strongest_by_blocks(
      hessian, z, s, label, candidates(hessian, {s}, wanted_of(most)), most + most / 5);
  std::vector<RowEffect> found;
  for (std::size_t i = 0; i < rows.size(); i += kSystemsAtOnce) {
    const std::size_t count = std::min(kSystemsAtOnce, rows.size() - i);
    const auto part = by_steps(hessian, z, s, label, std::span(rows).subspan(i, count));
    found.insert(found.end(), part.begin(), part.end());
    done(static_cast<double>(i + count) / static_cast<double>(rows.size()));
  }
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
    found = by_inverse(hessian, z, candidates(hessian, solutions, wanted_of(most)));
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
