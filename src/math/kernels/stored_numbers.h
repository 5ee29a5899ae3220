// Numbers as files store them: widened to float32, and searched for a pattern of bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace headlight {

/// Whether one of `count` numbers of 32 bits has all bits of `mask`. The bytes need no alignment.
bool any_has_bits(const std::byte* bytes, std::size_t count, std::uint32_t mask);
/// The same for numbers of 16 bits.
bool any_has_bits(const std::byte* bytes, std::size_t count, std::uint16_t mask);

/// IEEE 754 binary16 to float32: converts out.size() numbers from `bytes`, which need no alignment.
/// Exact, also for subnormal numbers.
void widen_halves(const std::byte* bytes, std::span<float> out);

}  // namespace headlight
