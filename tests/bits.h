// Hashes of results that must be the same, bit for bit, on every processor. NaN counts as NaN, as
// its sign and payload are the processor's.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>

namespace headlight {

/// FNV-1a over the bytes of the numbers' bits, from the lowest, as 16 hexadecimal digits.
inline std::string bits_hash(std::span<const float> values) {
  constexpr std::uint32_t kNaN = 0x7FC00000U;
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const float x : values) {
    const std::uint32_t bits = x != x ? kNaN : std::bit_cast<std::uint32_t>(x);
    for (std::uint32_t shift = 0; shift < 32; shift += 8) {
      hash ^= (bits >> shift) & 0xFFU;
      hash *= 0x100000001B3U;
    }
  }
  std::string digits(16, '0');
  for (std::size_t i = digits.size(); i > 0; --i) {
    digits[i - 1] = "0123456789abcdef"[hash & 0xFU];
    hash >>= 4U;
  }
  return digits;
}

}  // namespace headlight
