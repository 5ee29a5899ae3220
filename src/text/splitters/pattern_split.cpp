#include "text/splitters/pattern_split.h"

#include <algorithm>
#include <vector>

namespace headlight {
namespace {

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
