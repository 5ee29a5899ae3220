// IEEE 754 binary16 to float32.
#pragma once

#include <cstddef>
#include <span>

namespace headlight {

/// Converts out.size() numbers from `bytes`, which need no alignment. Exact, also for subnormal
/// numbers.
void widen_halves(const std::byte* bytes, std::span<float> out);

}  // namespace headlight
