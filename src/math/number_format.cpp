#include "math/number_format.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "math/kernels/halves.h"

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
  // A loop without an early exit is vectorized, so whole blocks are checked first. Only a block
  // with such a number is searched.
  constexpr std::size_t kBlock = 4096;
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t last = std::min(first + kBlock, count);
    unsigned found = 0;
    for (std::size_t i = first; i < last; ++i) {
      found |= static_cast<unsigned>((load<Bits>(bytes, i) & exponent) == exponent);
    }
    for (std::size_t i = first; found != 0 && i < last; ++i) {
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
  }
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
  }
  return std::nullopt;
}

}  // namespace headlight
