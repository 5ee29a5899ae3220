// bfloat16 numbers and the sums of the processor's manuals, in plain loops.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "math/matrix.h"

namespace headlight {

/// The nearest bfloat16 of a number that is neither infinite nor NaN, ties to even: the multiple of
/// its unit in the last place that float64 rounds to.
inline float nearest_bfloat(float value) {
  constexpr int kDigits = 8;
  constexpr int kLeastExponent = -133;  // of the unit of subnormal numbers
  int exponent = 0;
  std::frexp(value, &exponent);
  const int unit = exponent - kDigits < kLeastExponent ? kLeastExponent : exponent - kDigits;
  const double multiple = std::nearbyint(std::ldexp(static_cast<double>(value), -unit));
  return static_cast<float>(std::ldexp(multiple, unit));
}

/// Subnormal numbers as zero.
inline float flushed(float value) {
  const bool subnormal = std::abs(value) < std::numeric_limits<float>::min();
  return subnormal ? std::copysign(0.0F, value) : value;
}

/// A fused multiply-add of VDPBF16PS and TDPBF16PS.
inline float fused(float a, float b, float c) {
  return flushed(std::fma(flushed(a), flushed(b), flushed(c)));
}

/// One element as VDPBF16PS sums it: of two numbers of k the odd one first. x and w are rounded.
inline float sum_in_pairs(std::span<const float> x, std::span<const float> w, float bias) {
  const auto at = [](std::span<const float> row, std::size_t k) {
    return k < row.size() ? row[k] : 0.0F;
  };
  float sum = bias;
  for (std::size_t k = 0; k < x.size(); k += 2) {
    sum = fused(at(x, k + 1), at(w, k + 1), sum);
    sum = fused(at(x, k), at(w, k), sum);
  }
  return sum;
}

/// One element as TDPBF16PS sums it: the even and the odd numbers of 32 k, then their sum. x and w
/// are rounded.
inline float sum_in_tiles(std::span<const float> x, std::span<const float> w, float bias) {
  constexpr std::size_t kDepth = 32;
  float sum = flushed(bias);
  for (std::size_t k = 0; k < x.size(); k += kDepth) {
    float parts[2] = {0.0F, 0.0F};
    for (std::size_t j = k; j < k + kDepth && j < x.size(); ++j) {
      parts[j % 2] = fused(x[j], w[j], parts[j % 2]);
    }
    sum = flushed(sum + flushed(parts[0] + parts[1]));
  }
  return sum;
}

/// The elements row after row, each the nearest bfloat16.
inline std::vector<float> nearest_bfloats(ConstMatrix matrix) {
  std::vector<float> all;
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (const float value : matrix.row(i)) all.push_back(nearest_bfloat(value));
  }
  return all;
}

/// All elements of a product of numbers that are rounded first, by one of these functions.
template <typename Sum>
std::vector<float> product_of_rounded(ConstMatrix x, ConstMatrix weight,
                                      std::span<const float> bias, Sum sum) {
  const std::vector<float> a = nearest_bfloats(x);
  const std::vector<float> b = nearest_bfloats(weight);
  const std::size_t k = x.cols;
  std::vector<float> y;
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t o = 0; o < weight.rows; ++o) {
      y.push_back(sum(std::span(a).subspan(i * k, k), std::span(b).subspan(o * k, k),
                      bias.empty() ? 0.0F : bias[o]));
    }
  }
  return y;
}

}  // namespace headlight
