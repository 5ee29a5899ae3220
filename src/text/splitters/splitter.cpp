#include "text/splitters/splitter.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

/// The role of a character for a splitter.
enum class Kind : std::uint8_t { dropped, separator, word, other };

/// Whether a piece ends between two adjacent characters of these kinds.
using Cuts = bool (*)(Kind before, Kind after);

bool cuts_around_separators(Kind before, Kind after) {
  return before != after || before == Kind::separator;
}

struct CutsAroundSeparators {
  bool operator()(Kind before, Kind after) const { return cuts_around_separators(before, after); }
};

/// For usual text, spaces included. Only an estimate for reserve().
constexpr std::size_t kCharactersAPiece = 4;

template <typename KindOf, typename CutsBetween = CutsAroundSeparators>
void cut_pieces(SplitText& split, KindOf kind_of, CutsBetween cuts = {}) {
  std::vector<Span> pieces;
  pieces.reserve(split.pieces.size() + split.text.size() / kCharactersAPiece);
  for (const Span piece : split.pieces) {
    std::uint32_t begin = piece.begin;
    Kind before = kind_of(split.text.characters[begin]);
    for (std::uint32_t i = begin + 1; i < piece.end; ++i) {
      const Kind kind = kind_of(split.text.characters[i]);
      if (cuts(before, kind)) {
        if (before != Kind::dropped) pieces.push_back({begin, i});
        begin = i;
      }
      before = kind;
    }
    if (before != Kind::dropped) pieces.push_back({begin, piece.end});
  }
  split.pieces = std::move(pieces);
}

Cuts cuts_of(Separators behavior) {
  switch (behavior) {
    case Separators::merged_with_previous:
      return [](Kind before, Kind) { return before == Kind::separator; };
    case Separators::merged_with_next:
      return [](Kind, Kind after) { return after == Kind::separator; };
    case Separators::contiguous:
      return [](Kind before, Kind after) { return before != after; };
    case Separators::removed:
    case Separators::isolated:
      break;
  }
  return cuts_around_separators;
}

constexpr Kind bert_kind(char32_t c) {
  if (is_white_space(c)) return Kind::dropped;
  return is_punctuation(c) ? Kind::separator : Kind::word;
}

/// The kinds of ASCII characters, because most text is ASCII.
constexpr auto kBertKinds = [] {
  std::array<Kind, 0x80> kinds{};
  for (char32_t c = 0; c < kinds.size(); ++c) kinds[c] = bert_kind(c);
  return kinds;
}();

/// A match, or the text between two matches.
struct Part {
  Span span;
  bool separates;
};

std::vector<Part> parts_of(std::u32string_view text, const Pattern& pattern, bool invert) {
  std::vector<Part> parts;
  std::uint32_t done = 0;
  for (const Span match : pattern.find_all(text)) {
    if (done < match.begin) parts.push_back({{done, match.begin}, invert});
    parts.push_back({match, !invert});
    done = match.end;
  }
  const auto size = static_cast<std::uint32_t>(text.size());
  if (done < size) parts.push_back({{done, size}, invert});
  return parts;
}

/// Whether a part is merged with the neighbour that was processed before it.
bool joins(const Part& part, const Part& neighbour, Separators behavior) {
  if (behavior == Separators::contiguous) return part.separates == neighbour.separates;
  return part.separates && !neighbour.separates;
}

/// Joins parts into pieces. Goes from the right if a separator belongs to the part after it.
std::vector<Span> join(std::vector<Part> parts, Separators behavior) {
  const bool from_right = behavior == Separators::merged_with_next;
  if (from_right) std::reverse(parts.begin(), parts.end());
  std::vector<Span> pieces;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == 0 || !joins(parts[i], parts[i - 1], behavior)) {
      pieces.push_back(parts[i].span);
    } else if (from_right) {
      pieces.back().begin = parts[i].span.begin;
    } else {
      pieces.back().end = parts[i].span.end;
    }
  }
  if (from_right) std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

std::vector<Span> pieces_of(std::vector<Part> parts, Separators behavior) {
  if (behavior == Separators::removed) {
    std::erase_if(parts, [](const Part& part) { return part.separates; });
  }
  if (behavior != Separators::removed && behavior != Separators::isolated) {
    return join(std::move(parts), behavior);
  }
  std::vector<Span> pieces;
  pieces.reserve(parts.size());
  for (const Part& part : parts) pieces.push_back(part.span);
  return pieces;
}

}  // namespace

void Splitter::apply(SplitText& split) const {
  for (const auto& step : steps_) step->apply(split);
}

std::string Splitter::name() const {
  return joined(steps_, ", ", [](const auto& step) { return step->name(); });
}

void BertSplit::apply(SplitText& split) const {
  cut_pieces(split, [](char32_t c) { return is_ascii(c) ? kBertKinds[c] : bert_kind(c); });
}

void WhiteSpaceSplit::apply(SplitText& split) const {
  cut_pieces(split, [](char32_t c) { return is_white_space(c) ? Kind::dropped : Kind::word; });
}

void WordSplit::apply(SplitText& split) const {
  cut_pieces(split, [](char32_t c) {
    if (is_white_space(c)) return Kind::dropped;
    return is_word_character(c) ? Kind::word : Kind::other;
  });
}

void PunctuationSplit::apply(SplitText& split) const {
  const Kind kind = behavior_ == Separators::removed ? Kind::dropped : Kind::separator;
  cut_pieces(
      split, [kind](char32_t c) { return is_punctuation(c) ? kind : Kind::word; },
      cuts_of(behavior_));
}

void DigitsSplit::apply(SplitText& split) const {
  cut_pieces(
      split, [](char32_t c) { return is_digit(c) ? Kind::separator : Kind::word; },
      cuts_of(individual_ ? Separators::isolated : Separators::contiguous));
}

void DelimiterSplit::apply(SplitText& split) const {
  cut_pieces(split, [this](char32_t c) { return c == delimiter_ ? Kind::dropped : Kind::word; });
}

void Metaspace::apply(SplitText& split) const {
  auto& characters = split.text.characters;
  std::replace(characters.begin(), characters.end(), U' ', replacement_);
  if (scheme_ != PrependScheme::never) {
    const bool everywhere = scheme_ == PrependScheme::always;
    prefix_pieces(split, replacement_,
                  [=](std::uint32_t origin) { return everywhere || origin == 0; });
  }
  if (!cut_) return;
  cut_pieces(
      split, [this](char32_t c) { return c == replacement_ ? Kind::separator : Kind::word; },
      cuts_of(Separators::merged_with_next));
}

void PatternSplit::apply(SplitText& split) const {
  std::vector<Span> all;
  for (const Span whole : split.pieces) {
    const auto text = split.text.view(whole);
    for (const auto [begin, end] : pieces_of(parts_of(text, pattern_, invert_), behavior_)) {
      if (begin < end) all.push_back({whole.begin + begin, whole.begin + end});
    }
  }
  split.pieces = std::move(all);
}

}  // namespace headlight
