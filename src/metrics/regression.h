// Measures of regression. Everything is float64.
#pragma once

#include <optional>
#include <vector>

namespace headlight {

struct RegressionMeasures {
  double mean_squared_error = 0.0;
  double mean_absolute_error = 0.0;
  std::optional<double> pearson;   // empty if all values of one side are equal
  std::optional<double> spearman;  // Pearson's correlation of the ranks; ties share a rank
};

/// Both have the same size, at least 1.
RegressionMeasures regression_measures(const std::vector<double>& values,
                                       const std::vector<double>& gold);

}  // namespace headlight
