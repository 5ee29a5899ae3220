// The reference tokenizer's character classes as data. character_classes.h asks them; the .cpp is
// made by scripts/make character_tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>

namespace headlight {

/// Characters from `first` to `last`. The ranges of a table are in rising order and not adjacent.
struct CharacterRange {
  char32_t first;
  char32_t last;
};

/// General categories, as far as patterns distinguish them, with Unicode's short names.
enum class Category : std::uint8_t { lu, ll, lt, lm, lo, mn, mc, me, nd, nl, no, p, s, z };

struct CategoryRange {
  char32_t first;
  char32_t last;
  Category category;
};

/// For every `step`-th character from `first` to `last`, the lower case is the code point plus
/// `distance`.
struct LowercaseRun {
  char32_t first;
  char32_t last;
  std::uint32_t step;
  std::int32_t distance;
};

/// The row whose range contains `c`, or nullptr.
template <typename Row>
const Row* find_row(std::span<const Row> table, char32_t c) {
  const auto after = std::upper_bound(table.begin(), table.end(), c,
                                      [](char32_t x, const Row& row) { return x < row.first; });
  if (after == table.begin()) return nullptr;
  const Row& row = *std::prev(after);
  return c <= row.last ? &row : nullptr;
}

extern const std::span<const CharacterRange> kWhiteSpace;
extern const std::span<const CharacterRange> kPunctuation;
extern const std::span<const CharacterRange> kWordCharacters;
extern const std::span<const CharacterRange> kDigits;
extern const std::span<const CharacterRange> kUnclean;
extern const std::span<const CharacterRange> kChinese;
extern const std::span<const CharacterRange> kNonspacingMarks;
extern const std::span<const CharacterRange> kMarks;
extern const std::span<const CharacterRange> kDecomposing;
extern const std::span<const CharacterRange> kCompatiblyDecomposing;
extern const std::span<const CharacterRange> kReordered;
extern const std::span<const CategoryRange> kCategories;
extern const std::span<const LowercaseRun> kLowercase;

}  // namespace headlight
