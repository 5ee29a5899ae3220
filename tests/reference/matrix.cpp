#include "reference/matrix.h"

#include <stdexcept>

namespace headlight::reference {

Matrix layer_norm(const Norm& norm, const Matrix& x) {
  if (x.shape(1) != norm.gain.size()) throw std::logic_error("reference: norm of another width");
  if (norm.form == "rms") {
    const Row square = xt::mean(xt::square(x), {1});
    const Row root = xt::sqrt(square + norm.eps);
    return x / column(root) * norm.gain + norm.bias;
  }
  const Row mean = xt::mean(x, {1});
  const Matrix centred = x - column(mean);
  const Row variance = xt::mean(xt::square(centred), {1});
  Row divisor = xt::sqrt(variance + norm.eps);
  if (norm.form == "deviation") divisor = xt::sqrt(variance) + norm.eps;
  return centred / column(divisor) * norm.gain + norm.bias;
}

Matrix softmax(const Matrix& scores) {
  const Row largest = xt::amax(scores, {1});
  const Matrix shares = xt::exp(scores - column(largest));
  const Row total = xt::sum(shares, {1});
  return shares / column(total);
}

}  // namespace headlight::reference
