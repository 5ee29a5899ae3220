// N-grams of the characters of a word, and the row of a table that each has: those of fastText
// 0.9.2 (Dictionary::computeSubwords).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace headlight {

/// FNV-1a of 32 bits over signed chars: a byte above 127 is xor-ed as 0xFFFFFFxx.
inline constexpr std::uint32_t kFasttextHash = 2166136261U;
constexpr std::uint32_t grown_hash(std::uint32_t hash, char byte) {
  constexpr std::uint32_t kPrime = 16777619U;
  return (hash ^ static_cast<std::uint32_t>(static_cast<signed char>(byte))) * kPrime;
}
constexpr std::uint32_t fasttext_hash(std::string_view bytes) {
  std::uint32_t hash = kFasttextHash;
  for (const char byte : bytes) hash = grown_hash(hash, byte);
  return hash;
}

/// hash % buckets, without a division (Lemire et al. 2019, "Faster Remainder by Direct
/// Computation").
class HashBuckets {
 public:
  explicit HashBuckets(std::uint32_t buckets)
      : buckets_(buckets), inverse_(UINT64_MAX / std::max(buckets, 1U) + 1) {}

  std::uint32_t of(std::uint32_t hash) const {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t fraction = inverse_ * hash;
    return static_cast<std::uint32_t>(Wide{fraction} * buckets_ >> 64U);
  }

 private:
  std::uint32_t buckets_;
  std::uint64_t inverse_;  // 2^64 / buckets
};

/// `add(hash, begin, end)` gets each n-gram of `least` to `most` characters of "<word>", as bytes
/// of it, but for the two marks alone. The word is UTF-8, and not empty.
template <typename Add>
void visit_character_ngrams(std::string_view word, std::size_t least, std::size_t most,
                            const Add& add) {
  const std::size_t size = word.size() + 2;
  std::array<char, 64> small;
  std::string large;
  if (size >= small.size()) large.resize(size + 1);
  char* const marked = size >= small.size() ? large.data() : small.data();
  marked[0] = '<';
  std::ranges::copy(word, marked + 1);
  marked[size - 1] = '>';
  marked[size] = '\0';  // begins a character, so that none goes on behind the word
  const auto is_inside = [&](std::size_t i) { return (marked[i] & 0xC0) == 0x80; };
  for (std::size_t begin = 0; begin < size; ++begin) {
    if (is_inside(begin)) continue;
    std::uint32_t hash = kFasttextHash;
    std::size_t end = begin;
    for (std::size_t n = 1; end < size && n <= most; ++n) {
      do hash = grown_hash(hash, marked[end++]);
      while (is_inside(end));
      if (n < least || (n == 1 && (begin == 0 || end == size))) continue;
      add(hash, begin, end);
    }
  }
}

}  // namespace headlight
