// Collects the logits of the windows of one text.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headlight {

class WindowLogits {
 public:
  WindowLogits() = default;
  explicit WindowLogits(std::size_t windows) : windows_(windows) {}

  /// Adds the logits of one window: [c], or [n, c] of a model with a label for each token. Each
  /// window once, in any order.
  void put(std::size_t window, std::span<const float> logits) {
    windows_[window].assign(logits.begin(), logits.end());
  }

  /// The mean over the windows [c], after all have been added. It does not depend on the order of
  /// add(): a float64 sum in text order, divided and rounded once. For one window, exactly its
  /// logits. Not for logits of tokens.
  std::vector<float> mean() const;
  /// Those of each window.
  const std::vector<std::vector<float>>& windows() const { return windows_; }

 private:
  std::vector<std::vector<float>> windows_;
};

}  // namespace headlight
