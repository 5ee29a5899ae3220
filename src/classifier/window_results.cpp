#include "classifier/window_results.h"

namespace headlight {

std::vector<float> WindowResults::mean() const {
  const std::vector<float>& first = windows_.front();
  std::vector<double> sums(first.begin(), first.end());  // not 0 + the first: -0 stays -0
  for (std::size_t window = 1; window < windows_.size(); ++window) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += static_cast<double>(windows_[window][i]);
    }
  }
  for (double& sum : sums) sum /= static_cast<double>(windows_.size());
  return {sums.begin(), sums.end()};
}

}  // namespace headlight
