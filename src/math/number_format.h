// The number formats of stored weights, and their conversion to and from float32. The bytes need no
// alignment, because published safetensors files do not pad their headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/words.h"

namespace headlight {

/// IEEE 754 binary32, binary16, and bfloat16; little-endian. i8: integers of 8 bits, which only the
/// tables of a Table with scales have.
enum class NumberFormat : std::uint8_t { f32, f16, bf16, i8 };
/// The dtypes of safetensors.
inline constexpr std::array<Word<NumberFormat>, 4> kNumberFormatWords = {
    {{"F32", NumberFormat::f32},
     {"F16", NumberFormat::f16},
     {"BF16", NumberFormat::bf16},
     {"I8", NumberFormat::i8}}};

constexpr std::size_t bytes_each(NumberFormat format) {
  if (format == NumberFormat::i8) return 1;
  return format == NumberFormat::f32 ? 4 : 2;
}

/// Converts out.size() numbers from `bytes`. Exact for all formats.
void widen(NumberFormat format, const std::byte* bytes, std::span<float> out);

/// The bits of the nearest binary16, ties to even. A number that does not fit becomes infinity.
std::uint16_t to_half(float value);
/// The bits of the nearest bfloat16, ties to even. `value` must be finite.
std::uint16_t to_bfloat(float value);
/// Finite numbers in this format, which is not i8, each rounded to the nearest.
std::vector<std::byte> bytes_in(NumberFormat format, std::span<const float> values);
/// Whether to_half() of a finite number is finite.
bool fits_half(float value);

/// The index of the first number that is infinite or NaN, or nullopt.
std::optional<std::size_t> find_not_finite(NumberFormat format, const std::byte* bytes,
                                           std::size_t count);

}  // namespace headlight
