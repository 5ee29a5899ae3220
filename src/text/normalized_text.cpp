#include "text/normalized_text.h"

#include <algorithm>
#include <numeric>

namespace headlight {

NormalizedText::NormalizedText(std::u32string_view text, std::size_t text_begin)
    : characters(text), origins(text.size()), begin(static_cast<std::uint32_t>(text_begin)) {
  std::iota(origins.begin(), origins.end(), begin);
}

NormalizedText NormalizedText::part(Span span) const {
  NormalizedText part;
  part.characters = view(span);
  part.origins.assign(origins.begin() + span.begin, origins.begin() + span.end);
  part.begin = part.origins.empty() ? begin : part.origin_of(0);
  return part;
}

Rewriting::Rewriting(const NormalizedText& old) : old_(old) {
  new_.characters.reserve(old.size());
  new_.origins.reserve(old.size());
  new_.begin = old.begin;
}

void Rewriting::push(char32_t c, std::int32_t changes) {
  if (changes <= 0 && used_ < old_.size()) {
    new_.push_back(c, old_.origins[used_]);
    used_ = std::min(used_ + 1 + static_cast<std::size_t>(-changes), old_.size());
  } else {
    new_.push_back(c, old_.origin_before(used_));
  }
}

}  // namespace headlight
