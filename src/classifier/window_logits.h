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

  /// Adds the logits [c] of one window. Each window once, in any order.
  void put(std::size_t window, std::span<const float> logits);

  /// The mean over the windows [c], after all have been added. It does not depend on the order of
  /// add(): a float64 sum in text order, divided and rounded once. For one window, exactly its
  /// logits.
  std::vector<float> mean() const;

 private:
  std::size_t windows_ = 0;
  std::vector<float> logits_;  // [w, c]
};

}  // namespace headlight
