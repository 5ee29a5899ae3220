#include "classifier/window_logits.h"

#include <algorithm>

namespace headlight {

void WindowLogits::put(std::size_t window, std::span<const float> logits) {
  logits_.resize(windows_ * logits.size());
  const auto row = logits_.begin() + static_cast<std::ptrdiff_t>(window * logits.size());
  std::copy(logits.begin(), logits.end(), row);
}

std::vector<float> WindowLogits::mean() const {
  const std::size_t classes = logits_.size() / windows_;
  const auto second = logits_.begin() + static_cast<std::ptrdiff_t>(classes);
  std::vector<double> sums(logits_.begin(), second);  // not 0 + the first: -0 stays -0
  for (std::size_t i = classes; i < logits_.size(); ++i) {
    sums[i % classes] += static_cast<double>(logits_[i]);
  }
  for (double& sum : sums) sum /= static_cast<double>(windows_);
  return {sums.begin(), sums.end()};
}

}  // namespace headlight
