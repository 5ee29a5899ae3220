// A text on its way through normalizer and splitter: its characters as they are now, and for each
// the character of the original text that it came from.
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

/// Half-open range of a NormalizedText's characters.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const Span&) const = default;
};

/// Set in the origin of a character that was put in before all others: it covers nothing of the
/// original, and stands where the text begins.
inline constexpr std::uint32_t kCoversNothing = 0x80000000U;

/// `origins` rise, and have an element for each character. However a step changes a text, the part
/// of the original that a character covers is at most one code point, as in the reference.
struct NormalizedText {
  std::u32string characters;
  std::vector<std::uint32_t> origins;
  std::uint32_t begin = 0;  // the place in the original where the text begins

  NormalizedText() = default;
  /// `text` unchanged, which begins at code point `begin` of the original.
  NormalizedText(std::u32string text, std::size_t begin);

  std::size_t size() const { return characters.size(); }

  std::u32string_view view(Span span) const {
    return std::u32string_view(characters).substr(span.begin, span.end - span.begin);
  }

  void push_back(char32_t c, std::uint32_t origin) {
    characters.push_back(c);
    origins.push_back(origin);
  }

  /// The part begins where its first character does.
  NormalizedText part(Span span) const;

  /// The part of the original from a non-empty span's first character to its last.
  Offset offset(Span span) const {
    const std::uint32_t last = origins[span.end - 1];
    const bool is_empty = (last & kCoversNothing) != 0;
    return {origin_of(span.begin), std::size_t{last & ~kCoversNothing} + (is_empty ? 0U : 1U)};
  }

  /// Where in the original the part that a character covers begins.
  std::uint32_t origin_of(std::size_t index) const { return origins[index] & ~kCoversNothing; }

  /// The origin of what is put in before the character `index`: that of the one before it.
  std::uint32_t origin_before(std::size_t index) const {
    return index == 0 ? begin | kCoversNothing : origins[index - 1];
  }
};

/// A character of a text that is written anew, and what of the old text it changes:
///
///      0   it stands for the next character of the old text, and has its origin
///     -n   so, and the n old characters after that one are gone: nobody covers them
///      1   it is one more, and has the origin of the old character before it
struct Written {
  char32_t c;
  std::int32_t changes;
};

/// Writes a text anew, character by character from the left.
class Rewriting {
 public:
  explicit Rewriting(const NormalizedText& old);

  void push(Written next);
  NormalizedText finish() { return std::move(new_); }

 private:
  const NormalizedText& old_;
  NormalizedText new_;
  std::size_t used_ = 0;  // characters of the old text that are behind us
};

/// All of it at once.
NormalizedText rewrite(const NormalizedText& old, const std::vector<Written>& written);

/// Throws TextError where a rule of a tokenizer.json makes a text longer, from `old_size`
/// characters to `new_size`, than any sensible one does.
void check_growth(std::size_t old_size, std::size_t new_size);

/// Removes the characters for which `is_unwanted`; they leave no trace in the offsets.
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
