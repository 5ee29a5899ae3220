// A hash to recognize equal bytes: 128-bit XXH3 (https://xxhash.com), which runs at memory speed.
// It is not cryptographic.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace headlight {

/// 32 hexadecimal digits.
std::string hash_of(std::string_view bytes);

/// 64-bit XXH3, seeded with `before`, such as the hash of what comes before the bytes. Of a million
/// different texts, two have the same hash with a probability of 3e-8.
std::uint64_t short_hash_of(std::string_view bytes, std::uint64_t before = 0);

/// hash_of() bytes that arrive in pieces.
class GrowingHash {
 public:
  GrowingHash();
  ~GrowingHash();
  GrowingHash(const GrowingHash&) = delete;
  GrowingHash& operator=(const GrowingHash&) = delete;

  void add(std::string_view bytes);
  /// hash_of() all bytes.
  std::string text() const;
  /// hash_of() all bytes and these.
  std::string text_with(std::string_view more) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The mixing function of SplitMix64 (Steele et al. 2014, "Fast Splittable Pseudorandom Number
/// Generators"): numbers in a row become random bits.
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

}  // namespace headlight
