// The formulas of the specification on float64, one function each.
#pragma once

#include <string>
#include <vector>

#include "reference/matrix.h"

namespace headlight::reference {

/// act(x) for the name of an activation in a config.
double activate(const std::string& name, double x);

/// Every name that activate knows.
const std::vector<std::string>& activation_names();

/// x · weightᵀ: [n, in] and [out, in] give [n, out].
Matrix times_transposed(const Matrix& x, const Matrix& weight);

/// `bias` added to every row.
Matrix plus_bias(Matrix x, const Vector& bias);

Matrix sum(const Matrix& a, const Matrix& b);

/// `form` is "variance", (x-m)/sqrt(var+eps), or "deviation", (x-m)/(std+eps), on each row; then
/// times the gain, plus the bias.
struct Norm {
  Vector gain;
  Vector bias;
  double eps = 0.0;
  std::string form;
};
Matrix layer_norm(const Norm& norm, const Matrix& x);

/// exp(s_j) / Σ exp(s_j); a score of -∞ gives 0.
Vector softmax(const Vector& scores);

double sigmoid(double x);

/// MPNet's buckets, for a query at i and a key at j.
inline constexpr std::size_t kBuckets = 32;
std::size_t relative_bucket(std::size_t i, std::size_t j);

/// P(position) of d numbers: P[2k] = sin(position / 10000^(2k/d)), P[2k+1] = cos of the same.
Vector sinusoidal(std::size_t position, std::size_t d);

}  // namespace headlight::reference
