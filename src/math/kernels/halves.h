// IEEE 754 binary16 to float32.
#pragma once

#include <cstddef>
#include <span>

namespace headlight {

/// out.size() numbers from `bytes`, which need no alignment; exact, subnormal numbers too.
void widen_halves(const std::byte* bytes, std::span<float> out);

}  // namespace headlight
