#include "math/number_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "math/kernels/stored_numbers.h"

namespace headlight {
namespace {

static_assert(std::endian::native == std::endian::little, "weights are read as they lie");

template <typename Bits>
Bits load(const std::byte* bytes, std::size_t index) {
  Bits bits = 0;
  std::memcpy(&bits, bytes + index * sizeof(Bits), sizeof(Bits));
  return bits;
}

template <typename Bits>
std::optional<std::size_t> find_exponent_of_ones(const std::byte* bytes, std::size_t count,
                                                 Bits exponent) {
  // Only a block with such a number is searched for its place.
  constexpr std::size_t kBlock = 4096;
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t last = std::min(first + kBlock, count);
    if (!any_has_bits(bytes + first * sizeof(Bits), last - first, exponent)) continue;
    for (std::size_t i = first; i < last; ++i) {
      if ((load<Bits>(bytes, i) & exponent) == exponent) return i;
    }
  }
  return std::nullopt;
}

}  // namespace

void widen(NumberFormat format, const std::byte* bytes, std::span<float> out) {
  switch (format) {
    case NumberFormat::f32:
      if (!out.empty()) std::memcpy(out.data(), bytes, out.size_bytes());
      return;
    case NumberFormat::f16:
      return widen_halves(bytes, out);
    case NumberFormat::bf16:
      for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint32_t bits = load<std::uint16_t>(bytes, i);
        out[i] = std::bit_cast<float>(bits << 16U);
      }
      return;
    case NumberFormat::i8:
      for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<float>(std::to_integer<std::int8_t>(bytes[i]));
      }
      return;
  }
}

bool fits_half(float value) {
  constexpr float kRoundsUp = 65520.0F;  // to 65536, the next power of two
  return std::abs(value) < kRoundsUp;
}

std::uint16_t to_bfloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t odd = bits >> 16U & 1U;
  return static_cast<std::uint16_t>((bits + 0x7FFFU + odd) >> 16U);
}

std::vector<std::byte> bytes_in(NumberFormat format, std::span<const float> values) {
  std::vector<std::byte> bytes(values.size() * bytes_each(format));
  std::byte* next = bytes.data();
  for (const float value : values) {
    const std::uint16_t narrow = format == NumberFormat::f16 ? to_half(value) : to_bfloat(value);
    const void* number = &value;
    if (format != NumberFormat::f32) number = &narrow;
    std::memcpy(next, number, bytes_each(format));
    next += bytes_each(format);
  }
  return bytes;
}

std::uint16_t to_half(float value) {
  constexpr std::uint32_t kInfinity = 0x7F800000U;  // of binary32
  constexpr std::uint32_t kSmallest = 0x38800000U;  // 2^-14, the smallest normal binary16
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16U & 0x8000U;
  const std::uint32_t size = bits & 0x7FFFFFFFU;
  std::uint32_t half = 0;
  if (size > kInfinity) {
    half = 0x7E00U;
  } else if (!fits_half(value)) {
    half = 0x7C00U;
  } else if (size < kSmallest) {
    // One half has the precision of the subnormal numbers of binary16, so the sum is rounded so.
    half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5F) -
           std::bit_cast<std::uint32_t>(0.5F);
  } else {
    constexpr std::uint32_t kBias = (127U - 15U) << 23U;
    half = (size - kBias + 0xFFFU + (size >> 13U & 1U)) >> 13U;
  }
  return static_cast<std::uint16_t>(sign | half);
}

std::optional<std::size_t> find_not_finite(NumberFormat format, const std::byte* bytes,
                                           std::size_t count) {
  switch (format) {
    case NumberFormat::f32:
      return find_exponent_of_ones<std::uint32_t>(bytes, count, 0x7F800000U);
    case NumberFormat::f16:
      return find_exponent_of_ones<std::uint16_t>(bytes, count, 0x7C00U);
    case NumberFormat::bf16:
      return find_exponent_of_ones<std::uint16_t>(bytes, count, 0x7F80U);
    case NumberFormat::i8:
      break;
  }
  return std::nullopt;
}

}  // namespace headlight
