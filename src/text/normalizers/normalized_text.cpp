#include "text/normalizers/normalized_text.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace headlight {

NormalizedText::NormalizedText(std::u32string text, std::size_t text_begin)
    : characters(std::move(text)),
      origins(characters.size()),
      begin(static_cast<std::uint32_t>(text_begin)) {
  std::iota(origins.begin(), origins.end(), begin);
}

NormalizedText NormalizedText::part(Span span) const {
  NormalizedText part;
  part.characters = view(span);
  part.origins.assign(origins.data() + span.begin, origins.data() + span.end);
  part.begin = part.origins.empty() ? begin : part.origin_of(0);
  return part;
}

void check_growth(std::size_t old_size, std::size_t new_size) {
  constexpr std::size_t kLargestFactor = 100;
  constexpr std::size_t kAlwaysAllowed = 1'000'000;
  constexpr std::size_t kLongest = 1U << 28U;
  if (new_size <= std::min(kLongest, kLargestFactor * old_size + kAlwaysAllowed)) return;
  throw TextError("the tokenizer's normalizer expands " + std::to_string(old_size) +
                      " characters to at least " + std::to_string(new_size),
                  "its rules are broken, or the text is malicious");
}

Rewriting::Rewriting(const NormalizedText& old) : old_(old) {
  new_.reserve(old.size());
  new_.begin = old.begin;
}

void Rewriting::push(Written next) {
  if (next.changes <= 0 && used_ < old_.size()) {
    new_.push_back(next.c, old_.origins[used_]);
    used_ = std::min(used_ + 1 + static_cast<std::size_t>(-next.changes), old_.size());
  } else {
    new_.push_back(next.c, old_.origin_before(used_));
  }
}

NormalizedText rewrite(const NormalizedText& old, const std::vector<Written>& written) {
  Rewriting rewriting(old);
  for (const Written next : written) rewriting.push(next);
  return rewriting.finish();
}

}  // namespace headlight
