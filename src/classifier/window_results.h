// Collects the results of the windows of one text: logits or sentence vectors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headlight {

class WindowResults {
 public:
  WindowResults() = default;
  explicit WindowResults(std::size_t windows) : windows_(windows) {}

  /// Adds the result of one window: [c], or [n, c] for each of its tokens. Each window once, in any
  /// order.
  void put(std::size_t window, std::span<const float> result) {
    windows_[window].assign(result.begin(), result.end());
  }

  /// The mean over the windows [c], after all have been added. It does not depend on the order of
  /// put(): a float64 sum in text order, divided and rounded once. For one window, exactly its
  /// result. Not for results of tokens.
  std::vector<float> mean() const;
  /// Those of each window.
  const std::vector<std::vector<float>>& windows() const { return windows_; }

 private:
  std::vector<std::vector<float>> windows_;
};

}  // namespace headlight
