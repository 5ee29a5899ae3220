// The number formats weights are stored in, and their way to float32. Bytes need no alignment:
// safetensors headers in the wild are not padded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace headlight {

/// IEEE 754 binary32, binary16, and bfloat16; little-endian.
enum class NumberFormat : std::uint8_t { f32, f16, bf16 };

constexpr std::size_t bytes_each(NumberFormat format) {
  return format == NumberFormat::f32 ? 4 : 2;
}

/// out.size() numbers from `bytes`; exact for all three formats.
void widen(NumberFormat format, const std::byte* bytes, std::span<float> out);

/// The index of the first number that is infinite or not a number.
std::optional<std::size_t> find_not_finite(NumberFormat format, const std::byte* bytes,
                                           std::size_t count);

}  // namespace headlight
