#include "metrics/regression.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "metrics/ranks.h"

namespace headlight {
namespace {

std::vector<double> centred(std::vector<double> values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  for (double& value : values) value -= mean;
  return values;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool all_the_same(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
}

std::optional<double> correlation(const std::vector<double>& a, const std::vector<double>& b) {
  if (all_the_same(a) || all_the_same(b)) return std::nullopt;
  const auto x = centred(a);
  const auto y = centred(b);
  return std::clamp(dot(x, y) / std::sqrt(dot(x, x)) / std::sqrt(dot(y, y)), -1.0, 1.0);
}

}  // namespace

RegressionMeasures regression_measures(const std::vector<double>& values,
                                       const std::vector<double>& gold) {
  RegressionMeasures measures;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = values[i] - gold[i];
    measures.mean_squared_error += off * off;
    measures.mean_absolute_error += std::abs(off);
  }
  measures.mean_squared_error /= static_cast<double>(values.size());
  measures.mean_absolute_error /= static_cast<double>(values.size());
  measures.pearson = correlation(values, gold);
  measures.spearman = correlation(ranks_of(values), ranks_of(gold));
  return measures;
}

}  // namespace headlight
