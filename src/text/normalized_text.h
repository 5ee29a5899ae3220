// A text on its way through normalizer and splitter: its characters as they are now, and for each
// the character of the original text that it came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// Half-open range of a NormalizedText's characters.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const Span&) const = default;
};

/// `origins` rise, and have an element for each character. Every step changes a character at a
/// time, so the part of the original that a character covers is always one code point.
struct NormalizedText {
  std::u32string characters;
  std::vector<std::uint32_t> origins;

  NormalizedText() = default;
  /// `text` unchanged, which begins at code point `begin` of the original.
  NormalizedText(std::u32string_view text, std::size_t begin);

  std::size_t size() const { return characters.size(); }

  std::u32string_view view(Span span) const {
    return std::u32string_view(characters).substr(span.begin, span.end - span.begin);
  }

  void push_back(char32_t c, std::uint32_t origin) {
    characters.push_back(c);
    origins.push_back(origin);
  }

  NormalizedText part(Span span) const;

  /// The part of the original from a non-empty span's first character to its last.
  Offset offset(Span span) const {
    return {origins[span.begin], std::size_t{origins[span.end - 1]} + 1};
  }
};

/// Removes the characters for which `is_unwanted`; they leave no trace in the offsets.
template <typename Predicate>
void remove_characters(NormalizedText& text, Predicate is_unwanted) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_unwanted(text.characters[i])) continue;
    text.characters[kept] = text.characters[i];
    text.origins[kept] = text.origins[i];
    ++kept;
  }
  text.characters.resize(kept);
  text.origins.resize(kept);
}

}  // namespace headlight
