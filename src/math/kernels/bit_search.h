// Searches stored numbers for a pattern of bits. Defined in bit_search.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlight {

/// Whether one of `count` numbers of 32 bits has all bits of `mask`. The bytes need no alignment.
bool any_has_bits(const std::byte* bytes, std::size_t count, std::uint32_t mask);
/// The same for numbers of 16 bits.
bool any_has_bits(const std::byte* bytes, std::size_t count, std::uint16_t mask);

}  // namespace headlight
