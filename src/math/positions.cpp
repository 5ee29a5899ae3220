#include "math/positions.h"

#include <algorithm>
#include <cmath>

namespace headlight {

void sinusoidal_position(std::size_t position, std::span<float> out) {
  const auto d = static_cast<double>(out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto pair = static_cast<double>(i - i % 2);  // 2k
    const double angle = static_cast<double>(position) / std::pow(10000.0, pair / d);
    out[i] = static_cast<float>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
  }
}

std::vector<float> rotary_frequencies(float base, std::size_t size) {
  std::vector<float> frequencies(size / 2);
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const float exponent = static_cast<float>(2 * k) / static_cast<float>(size);
    frequencies[k] = 1.0F / std::pow(base, exponent);
  }
  return frequencies;
}

std::size_t DistanceBuckets::of(std::ptrdiff_t distance) const {
  const std::size_t direction = backward ? count : count / 2;  // before the query; then after
  const std::size_t exact = direction / 2;
  const std::size_t first = distance > 0 && !backward ? direction : 0;
  if (distance > 0 && backward) distance = 0;
  const auto far = static_cast<std::size_t>(distance < 0 ? -distance : distance);
  if (far < exact) return first + far;
  const auto range =
      static_cast<float>(std::log(static_cast<double>(farthest) / static_cast<double>(exact)));
  const float share = std::log(static_cast<float>(far) / static_cast<float>(exact)) / range;
  const auto bucket =
      exact + static_cast<std::size_t>(share * static_cast<float>(direction - exact));
  return first + std::min(bucket, direction - 1);
}

std::ptrdiff_t logarithmic_bucket(std::ptrdiff_t distance, std::size_t buckets,
                                  std::size_t farthest) {
  const std::size_t middle = buckets / 2;
  const auto far = static_cast<std::size_t>(distance < 0 ? -distance : distance);
  if (far <= middle) return distance;
  const auto half = static_cast<float>(middle);
  const auto ratio =
      static_cast<float>(static_cast<double>(farthest - 1) / static_cast<double>(middle));
  const float share = std::log(static_cast<float>(far) / half) / std::log(ratio);
  const float bucket = std::ceil(share * static_cast<float>(middle - 1)) + half;
  return static_cast<std::ptrdiff_t>(distance < 0 ? -bucket : bucket);
}

}  // namespace headlight
