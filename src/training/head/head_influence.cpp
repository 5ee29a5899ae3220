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
  std::vector<double> columns(p * stride);
  for (std::size_t k = 0; k < hessian.labels(); ++k) {
    if (k != label && !hessian.is_whole()) continue;
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
    hessian.score(columns, stride, [&](std::size_t first, const auto& scores) {
      for (std::size_t i = 0; i < scores.size() / stride; ++i) {
        const double* r = hessian.derivatives().gradient.data() + (first + i) * c;
        const double effect = std::abs(dot(scores.data() + i * stride, r, c));
        largest[first + i] = std::max(largest[first + i], effect);
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

/// (I - W A)⁻¹ r of a row, where `a` has A, or its diagonal: then of each label alone.
std::vector<double> without_leverage(const HeadHessian& hessian, std::size_t row, const double* a) {
  const std::size_t c = hessian.labels();
  const double* r = hessian.derivatives().gradient.data() + row * c;
  if (!hessian.is_whole()) {
    std::vector<double> alone(r, r + c);
    for (std::size_t k = 0; k < c; ++k) alone[k] /= 1.0 - hessian.second(row, k, k) * a[k];
    return alone;
  }
  Tensor<2> left = xt::eye<double>(c);
  const Tensor<2> leverage = view_of<2>(std::span(a, c * c), {c, c});
  Tensor<2> w = xt::zeros<double>({c, c});
  for (std::size_t k = 0; k < c; ++k) {
    for (std::size_t other = 0; other < c; ++other) w(k, other) = hessian.second(row, k, other);
  }
  left -= product(w, leverage);
  const Tensor<2> right = view_of<2>(std::span(r, c), {c, std::size_t{1}});
  return numbers_of(solve(left, right));
}

/// Takes out the change of all labels alike.
void center(std::vector<double>& effects) {
  const double sum = std::accumulate(effects.begin(), effects.end(), 0.0);
  for (double& effect : effects) effect -= sum / static_cast<double>(effects.size());
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
      row.effect[k] = hessian.is_whole() ? -dot(zx + k * c, r.data(), c) : -zx[k] * r[k];
    }
    if (hessian.are_blocks_apart()) center(row.effect);
    found.push_back(std::move(row));
  }
  return found;
}

}  // namespace

std::vector<RowEffect> strongest_rows(const HeadHessian& hessian, std::span<const float> x,
                                      const std::vector<std::size_t>& labels, std::size_t most) {
  const std::vector<double> z = hessian.column_of(x);
  std::vector<std::vector<double>> solutions;
  solutions.reserve(labels.size());
  for (const std::size_t label : labels) {
    solutions.push_back(solution(hessian, z, label, whole_panels(hessian.labels())));
  }
  std::vector<RowEffect> found =
      by_inverse(hessian, z, candidates(hessian, solutions, wanted_of(most)));
  keep_strongest(found, labels, most);
  for (RowEffect& row : found) {
    for (double& effect : row.effect) effect *= hessian.loss().unit();
  }
  return found;
}

}  // namespace headlight
