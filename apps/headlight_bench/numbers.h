// Seeded numbers to compute with.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/matrix.h"

namespace headlight::bench {

/// Fills with numbers in [-1, 1), the same every time.
void fill_random(std::span<float> values);

/// A vector of them.
std::vector<float> random_floats(std::size_t count);

/// A matrix of them in `memory`.
Matrix random_matrix(Buffer& memory, std::size_t rows, std::size_t cols);

/// Many weights of one size in memory that no cache holds, to be used in turn.
class ColdWeights {
 public:
  /// Each has `floats` numbers, a multiple of 16. Valid as long as the program runs.
  explicit ColdWeights(std::size_t floats);
  const float* next();

 private:
  std::size_t floats_;
  std::size_t copies_;
  std::size_t turn_ = 0;
};

}  // namespace headlight::bench
