// Where a text may be cut so that its parts, normalized and split alone, give the words of the
// whole text. The cuts depend on the neighbouring bytes alone, which are told apart by group.
#pragma once

#include <cstdint>

#include "text/unicode/character_classes.h"

namespace headlight {

/// Sets of the groups of bytes, one bit each: a space, TAB or LF or CR, other control characters of
/// ASCII, its letters, digits, apostrophe and other symbols, and bytes of all other characters.
using ByteGroups = std::uint8_t;

namespace group {
inline constexpr ByteGroups kSpace = 1;
inline constexpr ByteGroups kLineBlanks = 2;
inline constexpr ByteGroups kControls = 4;
inline constexpr ByteGroups kLetters = 8;
inline constexpr ByteGroups kDigits = 16;
inline constexpr ByteGroups kApostrophe = 32;
inline constexpr ByteGroups kSymbols = 64;
inline constexpr ByteGroups kBeyondAscii = 128;
inline constexpr ByteGroups kPunctuation = kApostrophe | kSymbols;
inline constexpr ByteGroups kVisible = kLetters | kDigits | kPunctuation;
inline constexpr ByteGroups kAscii = 127;
inline constexpr ByteGroups kAll = 255;
}  // namespace group

constexpr ByteGroups group_of(unsigned char byte) {
  if (!is_ascii(byte)) return group::kBeyondAscii;
  if (byte == ' ') return group::kSpace;
  if (byte == '\t' || byte == '\n' || byte == '\r') return group::kLineBlanks;
  if (byte < ' ' || byte == 0x7F) return group::kControls;
  if (is_ascii_letter_or_digit(byte))
    return is_ascii_digit(byte) ? group::kDigits : group::kLetters;
  return byte == '\'' ? group::kApostrophe : group::kSymbols;
}

/// The pairs of groups between which a text may be cut.
class WordCuts {
 public:
  /// No cuts.
  constexpr WordCuts() = default;

  /// Before each single space between visible characters of ASCII. The first word of a text may be
  /// another than the same behind a space.
  static constexpr WordCuts at_single_spaces() {
    return WordCuts().add(group::kVisible, group::kSpace).before(group::kVisible);
  }

  constexpr WordCuts& add(ByteGroups last, ByteGroups first) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((last >> bit & 1U) != 0) pairs_ |= std::uint64_t{first} << (8U * bit);
    }
    return *this;
  }
  /// Cuts before a space only if one of `groups` is behind it.
  constexpr WordCuts& before(ByteGroups groups) {
    behind_space_ = groups;
    return *this;
  }

  /// What is not cut and has only bytes of `groups`, behind a space or not, is one word.
  constexpr WordCuts& joins(ByteGroups groups) {
    joined_ = groups;
    return *this;
  }

  constexpr bool any() const { return pairs_ != 0; }
  /// Between two bytes, given the indexes of their groups. Before a space look behind it as well.
  constexpr bool between(unsigned last, unsigned first) const {
    return (behind(last) >> first & 1U) != 0;
  }
  constexpr ByteGroups behind(unsigned last) const {
    return static_cast<ByteGroups>(pairs_ >> (8U * last));
  }
  /// Whether any byte may follow a space that is cut off.
  constexpr bool removes_spaces() const { return behind(0) == group::kAll; }
  constexpr bool joins_in_words(unsigned group) const { return (joined_ >> group & 1U) != 0; }
  constexpr bool behind_space(unsigned group) const { return (behind_space_ >> group & 1U) != 0; }

 private:
  std::uint64_t pairs_ = 0;  // eight groups for each of eight
  ByteGroups behind_space_ = group::kAll;
  ByteGroups joined_ = 0;
};

}  // namespace headlight
