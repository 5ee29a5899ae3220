// The formulas of the specification that are about whole rows, in float64.
#pragma once

#include <string>

#include "math/tensor.h"

namespace headlight::reference {

using Matrix = headlight::Tensor<2>;
using Row = headlight::Tensor<1>;

/// `form` is "variance", (x-m)/sqrt(var+eps), "deviation", (x-m)/(std+eps), or "rms",
/// x/sqrt(mean(x²)+eps), on each row; then times the gain, plus the bias.
struct Norm {
  Row gain;
  Row bias;
  double eps = 0.0;
  std::string form;
};
Matrix layer_norm(const Norm& norm, const Matrix& x);

/// exp(s_j) / Σ exp(s_j) of each row; a score of -∞ gives 0.
Matrix softmax(const Matrix& scores);

}  // namespace headlight::reference
