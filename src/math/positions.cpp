#include "math/positions.h"

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

}  // namespace headlight
