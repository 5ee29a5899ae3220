// What the reference takes a character for when it cuts a text into grapheme clusters. The .cpp is
// made by scripts/make grapheme_tables.
#pragma once

#include <cstdint>
#include <span>

namespace headlight {

/// The classes of Unicode Standard Annex 29 that the rules need, as bits.
enum GraphemeClass : std::uint16_t {
  kAttaches = 1U << 0U,           // Extend, SpacingMark and ZWJ: joins the character before
  kPrepends = 1U << 1U,           // Prepend: joins the character after
  kControl = 1U << 2U,            // never joined, like CR and LF
  kPictograph = 1U << 3U,         // Extended_Pictographic
  kExtendsPictograph = 1U << 4U,  // Extend: may be between a pictograph and the ZWJ after it
  kConsonant = 1U << 5U,          // Indic_Conjunct_Break=Consonant
  kLinks = 1U << 6U,              // Linker: joins two consonants
  kExtendsConsonant = 1U << 7U    // Indic_Conjunct_Break=Extend: may be next to a linker
};

struct GraphemeRange {
  char32_t first;
  char32_t last;
  std::uint16_t classes;
};

extern const std::span<const GraphemeRange> kGraphemes;

}  // namespace headlight
