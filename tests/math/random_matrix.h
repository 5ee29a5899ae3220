// Matrices of seeded numbers for the tests of this room.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "math/matrix.h"

namespace headlight {

/// Numbers in [-1, 1), the same for the same seed everywhere.
inline std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    const double unit = static_cast<double>(engine() >> 11U) * 0x1p-53;
    value = static_cast<float>(2.0 * unit - 1.0);
  }
  return values;
}

/// A random matrix, its rows `gap` floats apart. The gaps are NaN: who reads one shows it in the
/// result, who writes one is told of by gaps_are_untouched().
class RandomMatrix {
 public:
  RandomMatrix(std::size_t rows, std::size_t cols, std::uint64_t seed, std::size_t gap = 0)
      : rows_(rows), cols_(cols), stride_(cols + gap), values_(rows * stride_, kGap) {
    const auto numbers = random_floats(rows * cols, seed);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) values_[i * stride_ + j] = numbers[i * cols + j];
    }
  }

  Matrix view() { return {values_.data(), rows_, cols_, stride_}; }
  ConstMatrix view() const { return {values_.data(), rows_, cols_, stride_}; }

  bool gaps_are_untouched() const {
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = cols_; j < stride_; ++j) {
        if (!std::isnan(values_[i * stride_ + j])) return false;
      }
    }
    return true;
  }

 private:
  static constexpr float kGap = std::numeric_limits<float>::quiet_NaN();

  std::size_t rows_;
  std::size_t cols_;
  std::size_t stride_;
  std::vector<float> values_;
};

/// The elements row after row, without gaps.
inline std::vector<float> elements(ConstMatrix matrix) {
  std::vector<float> all;
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    const auto row = matrix.row(i);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

}  // namespace headlight
