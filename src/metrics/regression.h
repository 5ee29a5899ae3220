// How far values are from what they should be. Everything is float64.
#pragma once

#include <optional>
#include <vector>

namespace headlight {

struct RegressionMeasures {
  double mean_squared_error = 0.0;
  double mean_absolute_error = 0.0;
  std::optional<double> pearson;   // nothing where one side is all the same, or is one row
  std::optional<double> spearman;  // Pearson's of the ranks, ties sharing theirs
};

/// As many of both, at least one.
RegressionMeasures regression_measures(const std::vector<double>& values,
                                       const std::vector<double>& gold);

}  // namespace headlight
