#include "text/normalized_text.h"

#include <numeric>

namespace headlight {

NormalizedText::NormalizedText(std::u32string_view text, std::size_t begin)
    : characters(text), origins(text.size()) {
  std::iota(origins.begin(), origins.end(), static_cast<std::uint32_t>(begin));
}

NormalizedText NormalizedText::part(Span span) const {
  NormalizedText part;
  part.characters = view(span);
  part.origins.assign(origins.begin() + span.begin, origins.begin() + span.end);
  return part;
}

}  // namespace headlight
