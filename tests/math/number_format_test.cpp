#include "math/number_format.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "math/with_instruction_sets.h"

namespace headlight::number_format_test {
namespace {

constexpr std::uint32_t kPatterns = 65536;

/// The value of sign, exponent and mantissa by their definition (IEEE 754, §3.4).
double decoded(std::uint32_t bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int ones = (1 << exponent_bits) - 1;
  const int mantissa = static_cast<int>(bits) & ((1 << mantissa_bits) - 1);
  const int exponent = static_cast<int>(bits >> static_cast<unsigned>(mantissa_bits)) & ones;
  const double sign = (bits >> 15U) != 0 ? -1.0 : 1.0;
  if (exponent == ones) {
    return mantissa == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp((1 << mantissa_bits) + mantissa, exponent - bias - mantissa_bits);
}

/// The first of the 65,536 patterns that is widened to another number, or kPatterns.
std::uint32_t first_wrong_pattern(NumberFormat format, int exponent_bits, int mantissa_bits) {
  std::vector<std::uint16_t> bits(kPatterns);
  for (std::uint32_t i = 0; i < kPatterns; ++i) bits[i] = static_cast<std::uint16_t>(i);
  std::vector<float> found(kPatterns);
  widen(format, reinterpret_cast<const std::byte*>(bits.data()), found);
  for (std::uint32_t i = 0; i < kPatterns; ++i) {
    const double expected = decoded(i, exponent_bits, mantissa_bits);
    const bool right = std::isnan(expected) ? std::isnan(found[i])
                                            : static_cast<double>(found[i]) == expected &&
                                                  std::signbit(found[i]) == std::signbit(expected);
    if (!right) return i;
  }
  return kPatterns;
}

TEST_CASE("every bit pattern of both 16-bit formats is widened exactly") {
  CHECK(first_wrong_pattern(NumberFormat::f16, 5, 10) == kPatterns);
  CHECK(first_wrong_pattern(NumberFormat::bf16, 8, 7) == kPatterns);
}

TEST_CASE("float32 is rounded to the nearest float16, ties to even") {
  std::vector<std::uint16_t> bits(0x7C00);  // all finite numbers from 0 up
  for (std::uint32_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
  std::vector<float> values(bits.size());
  widen(NumberFormat::f16, reinterpret_cast<const std::byte*>(bits.data()), values);
  std::size_t wrong = 0;
  for (std::uint32_t i = 0; i < bits.size(); ++i) {
    wrong +=
        static_cast<std::size_t>(to_half(values[i]) != i || to_half(-values[i]) != (i | 0x8000U));
    if (i + 1 == bits.size()) break;
    const float middle = (values[i] + values[i + 1]) / 2.0F;
    const std::uint32_t even = i + (i & 1U);
    wrong += static_cast<std::size_t>(to_half(middle) != even);
    wrong += static_cast<std::size_t>(to_half(std::nextafter(middle, 0.0F)) != i);
    wrong += static_cast<std::size_t>(to_half(std::nextafter(middle, 1e9F)) != i + 1);
  }
  CHECK(wrong == 0);
  CHECK(to_half(65519.996F) == 0x7BFF);
  CHECK(to_half(65520.0F) == 0x7C00);
  CHECK(to_half(-std::numeric_limits<float>::infinity()) == 0xFC00);
  CHECK(to_half(std::numeric_limits<float>::quiet_NaN()) == 0x7E00);
  CHECK(fits_half(-65519.996F));
  CHECK_FALSE(fits_half(65520.0F));
}

TEST_CASE("known bit patterns have their known values") {
  struct Row {
    NumberFormat format;
    std::uint16_t bits;
    float value;
  };
  const Row rows[] = {
      {NumberFormat::f16, 0x3C00, 1.0F},
      {NumberFormat::f16, 0x7BFF, 65504.0F},
      {NumberFormat::f16, 0x0001, 0x1p-24F},
      {NumberFormat::f16, 0x0400, 0x1p-14F},
      {NumberFormat::f16, 0x3555, 0.333251953125F},
      {NumberFormat::bf16, 0x3F80, 1.0F},
      {NumberFormat::bf16, 0x0001, 0x1p-133F},
      {NumberFormat::bf16, 0xC049, -3.140625F},
  };
  for (const auto& [format, bits, value] : rows) {
    std::vector<float> out(1);
    widen(format, reinterpret_cast<const std::byte*>(&bits), out);
    CHECK(out[0] == value);
  }
}

TEST_CASE("bytes at any address are widened") {
  const std::vector<float> numbers = {1.5F, -2.25F, 1e-40F};
  for (const std::size_t shift : {0, 1, 2, 3}) {
    std::vector<std::byte> memory(numbers.size() * 4 + shift);
    std::memcpy(memory.data() + shift, numbers.data(), numbers.size() * 4);
    std::vector<float> out(numbers.size());
    widen(NumberFormat::f32, memory.data() + shift, out);
    CHECK(out == numbers);
  }
  std::vector<float> none;
  widen(NumberFormat::f32, nullptr, none);
}

/// `count` times the bytes of 1.0, and what is not finite at `bad`.
std::vector<std::byte> numbers_with(NumberFormat format, std::size_t count, std::uint32_t special,
                                    const std::vector<std::size_t>& bad) {
  const std::size_t each = bytes_each(format);
  const std::uint32_t one = format == NumberFormat::f32   ? 0x3F800000
                            : format == NumberFormat::f16 ? 0x3C00
                                                          : 0x3F80;
  std::vector<std::byte> bytes(count * each);
  for (std::size_t i = 0; i < count; ++i) std::memcpy(bytes.data() + i * each, &one, each);
  for (const std::size_t at : bad) std::memcpy(bytes.data() + at * each, &special, each);
  return bytes;
}

TEST_CASE("the first number that is not finite is found at its index, at the edges of blocks too") {
  struct Special {
    NumberFormat format;
    std::vector<std::uint32_t> bits;  // ∞, -∞, and not a number
  };
  const Special specials[] = {
      {NumberFormat::f32, {0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001}},
      {NumberFormat::f16, {0x7C00, 0xFC00, 0x7E00, 0xFC01}},
      {NumberFormat::bf16, {0x7F80, 0xFF80, 0x7FC0, 0xFF81}},
  };
  constexpr std::size_t kCount = 10'000;
  for (const auto& [format, bits] : specials) {
    for (const std::uint32_t special : bits) {
      for (const std::size_t at :
           {0, 1, 8, 21, 37, 63, 64, 100, 127, 4095, 4096, 4097, 8191, 8192, 9990, 9999}) {
        CAPTURE(special);
        CAPTURE(at);
        const auto bytes = numbers_with(format, kCount, special, {at, kCount - 1});
        with_each_instruction_set([&] {
          CHECK(find_not_finite(format, bytes.data(), kCount) == at);
          CHECK_FALSE(find_not_finite(format, bytes.data(), at));  // and not past the count
        });
      }
    }
    const auto good = numbers_with(format, kCount, 0, {});
    CHECK_FALSE(find_not_finite(format, good.data(), kCount));
    CHECK_FALSE(find_not_finite(format, nullptr, 0));
  }
}

TEST_CASE("the largest and the smallest numbers are finite") {
  const std::vector<float> numbers = {std::numeric_limits<float>::max(),
                                      std::numeric_limits<float>::lowest(),
                                      std::numeric_limits<float>::denorm_min(), -0.0F};
  const auto* bytes = reinterpret_cast<const std::byte*>(numbers.data());
  CHECK_FALSE(find_not_finite(NumberFormat::f32, bytes, numbers.size()));
}

}  // namespace
}  // namespace headlight::number_format_test
