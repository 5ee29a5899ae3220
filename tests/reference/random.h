// Numbers from a seed that are the same on every machine and with every standard library: only
// std::mt19937_64 itself, whose output the C++ standard fixes, and no std distribution.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace headlight::reference {

/// Tokens that a random model of long texts takes: more than a block of queries, several panels of
/// keys.
constexpr std::size_t kLongText = 512;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// low … high, both included.
  std::size_t whole(std::size_t low, std::size_t high) {
    return low + engine_() % (high - low + 1);
  }

  /// True in `times` of `of` cases.
  bool chance(std::size_t times, std::size_t of) { return whole(1, of) <= times; }

  template <typename T>
  T one_of(const std::vector<T>& choices) {
    return choices[whole(0, choices.size() - 1)];
  }

  /// Mean 0, the given standard deviation, evenly spread; a number that float32 holds.
  double spread(double deviation) {
    const double unit = static_cast<double>(engine_() >> 11U) * 0x1p-53;  // [0, 1)
    const double value = (2.0 * unit - 1.0) * std::sqrt(3.0) * deviation;
    return static_cast<double>(static_cast<float>(value));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace headlight::reference
