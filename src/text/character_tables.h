// The reference tokenizer's character classes as data. character_classes.h asks them; the .cpp is
// made by scripts/make_character_tables.
#pragma once

#include <cstdint>
#include <span>

namespace headlight {

/// Characters from `first` to `last`. A table's ranges rise and don't touch.
struct CharacterRange {
  char32_t first;
  char32_t last;
};

/// Every `step`-th character from `first` to `last` has its lower case `distance` further on.
struct LowercaseRun {
  char32_t first;
  char32_t last;
  std::uint32_t step;
  std::int32_t distance;
};

extern const std::span<const CharacterRange> kWhiteSpace;
extern const std::span<const CharacterRange> kPunctuation;
extern const std::span<const CharacterRange> kWordCharacters;
extern const std::span<const CharacterRange> kLetters;
extern const std::span<const CharacterRange> kNumbers;
extern const std::span<const CharacterRange> kDigits;
extern const std::span<const CharacterRange> kUnclean;
extern const std::span<const CharacterRange> kChinese;
extern const std::span<const CharacterRange> kNonspacingMarks;
extern const std::span<const CharacterRange> kMarks;
extern const std::span<const CharacterRange> kDecomposing;
extern const std::span<const CharacterRange> kReordered;
extern const std::span<const LowercaseRun> kLowercase;

}  // namespace headlight
