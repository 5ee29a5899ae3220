// A text during normalization and splitting: its current characters, and for each the character of
// the original text that it comes from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// Half-open range of characters of a NormalizedText.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const Span&) const = default;
};

/// Set in the origin of a character that was inserted at the front: it covers nothing of the
/// original and is placed where the text begins.
inline constexpr std::uint32_t kCoversNothing = 0x80000000U;

/// `origins` has one element per character, in rising order. A character never covers more than one
/// code point of the original, as in the reference.
struct NormalizedText {
  std::u32string characters;
  std::vector<std::uint32_t> origins;
  std::uint32_t begin = 0;  // where the text begins in the original

  NormalizedText() = default;
  /// The unchanged text, which begins at code point `begin` of the original.
  NormalizedText(std::u32string text, std::size_t begin);

  std::size_t size() const { return characters.size(); }

  std::u32string_view view(Span span) const {
    return std::u32string_view(characters).substr(span.begin, span.end - span.begin);
  }

  void reserve(std::size_t size) {
    characters.reserve(size);
    origins.reserve(size);
  }
  void push_back(char32_t c, std::uint32_t origin) {
    characters.push_back(c);
    origins.push_back(origin);
  }

  /// The part of the text in `span`. It begins where its first character begins.
  NormalizedText part(Span span) const;

  /// The range of the original from the first to the last character of a non-empty span.
  Offset offset(Span span) const {
    const std::uint32_t last = origins[span.end - 1];
    const bool is_empty = (last & kCoversNothing) != 0;
    return {origin_of(span.begin), std::size_t{last & ~kCoversNothing} + (is_empty ? 0U : 1U)};
  }

  /// Where the part of the original that a character covers begins.
  std::uint32_t origin_of(std::size_t index) const { return origins[index] & ~kCoversNothing; }

  /// The origin for a character inserted before the character `index`: that of its predecessor.
  std::uint32_t origin_before(std::size_t index) const {
    return index == 0 ? begin | kCoversNothing : origins[index - 1];
  }
};

/// A character of a rewritten text, and how it changes the old text:
///
///      0   it replaces the next character of the old text and has its origin
///     -n   the same, and the n old characters after that one are removed
///      1   it is inserted and has the origin of the old character before it
struct Written {
  char32_t c;
  std::int32_t changes;
};

/// Rewrites a text character by character from the left.
class Rewriting {
 public:
  explicit Rewriting(const NormalizedText& old);

  void push(Written next);
  NormalizedText finish() { return std::move(new_); }

 private:
  const NormalizedText& old_;
  NormalizedText new_;
  std::size_t used_ = 0;  // processed characters of the old text
};

/// Rewrites a whole text.
NormalizedText rewrite(const NormalizedText& old, const std::vector<Written>& written);

/// Throws TextError if a rule of a tokenizer.json makes a text unreasonably long: from `old_size`
/// to `new_size` characters.
void check_growth(std::size_t old_size, std::size_t new_size);

/// Removes the characters for which `is_unwanted` is true. No offset covers them afterwards.
template <typename Predicate>
void remove_characters(NormalizedText& text, Predicate is_unwanted) {
  const auto first = std::find_if(text.characters.begin(), text.characters.end(), is_unwanted);
  auto kept = static_cast<std::size_t>(first - text.characters.begin());
  for (std::size_t i = kept; i < text.size(); ++i) {
    if (is_unwanted(text.characters[i])) continue;
    text.characters[kept] = text.characters[i];
    text.origins[kept] = text.origins[i];
    ++kept;
  }
  text.characters.resize(kept);
  text.origins.resize(kept);
}

}  // namespace headlight
