// What the windows of one text said, until all of them have said it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headlight {

class WindowLogits {
 public:
  WindowLogits() = default;
  explicit WindowLogits(std::size_t windows) : windows_(windows) {}

  /// Logits [c] of one window, each window once and in any order.
  void put(std::size_t window, std::span<const float> logits);

  /// To be called once all are there: the mean over the windows [c], whatever the order they came
  /// in: a float64 sum in the order of the text, divided and rounded once. Of one window exactly
  /// its logits.
  std::vector<float> mean() const;

 private:
  std::size_t windows_ = 0;
  std::vector<float> logits_;  // [w, c]
};

}  // namespace headlight
