#include "training/sparse/term_counting.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

constexpr std::size_t kMostTerms = std::size_t{1} << 22U;

/// Spreads hashes whose low bits are alike.
std::size_t mixed(std::uint32_t hash) {
  constexpr std::uint32_t kMixing = 0x9E3779B1U;  // 2^32 / golden ratio
  return std::uint32_t{hash * kMixing};
}

}  // namespace

void TermCounting::read(std::string_view text) {
  ++texts_;
  visit_terms(settings_, text, scratch_,
              [&](std::string_view term, std::span<const Span> /*parts*/) { count(term); });
  if (terms_.size() > kMostTerms) forget_rarest();
}

void TermCounting::count(std::string_view term) {
  if (4 * (terms_.size() + 1) > 3 * places_.size()) {
    places_.assign(std::max<std::size_t>(1024, 2 * places_.size()), 0);
    for (std::uint32_t i = 0; i < terms_.size(); ++i) place(i);
  }
  const std::uint32_t hash = murmur_hash(term);
  const std::size_t mask = places_.size() - 1;
  std::size_t at = mixed(hash) & mask;
  for (; places_[at] != 0; at = (at + 1) & mask) {
    Term& known = terms_[places_[at] - 1];
    if (known.hash != hash || bytes_of(known) != term) continue;
    known.texts += known.latest == texts_ ? 0 : 1;
    known.latest = texts_;
    return;
  }
  terms_.push_back({hash, static_cast<std::uint32_t>(term.size()), bytes_.size(), 1, texts_});
  bytes_ += term;
  places_[at] = static_cast<std::uint32_t>(terms_.size());
}

void TermCounting::place(std::uint32_t number) {
  const std::size_t mask = places_.size() - 1;
  std::size_t at = mixed(terms_[number].hash) & mask;
  while (places_[at] != 0) at = (at + 1) & mask;
  places_[at] = number + 1;
}

void TermCounting::forget_rarest() {
  std::uint32_t least = 1;
  const auto kept = [&] {
    return std::ranges::count_if(terms_, [&](const Term& term) { return term.texts >= least; });
  };
  while (2 * static_cast<std::size_t>(kept()) > kMostTerms) ++least;
  std::string bytes;
  std::erase_if(terms_, [&](const Term& term) { return term.texts < least; });
  for (Term& term : terms_) {
    const std::string_view own = bytes_of(term);
    term.begin = bytes.size();
    bytes += own;
  }
  bytes_ = std::move(bytes);
  std::ranges::fill(places_, 0U);
  for (std::uint32_t i = 0; i < terms_.size(); ++i) place(i);
}

LearnedTerms TermCounting::learn(std::size_t most) const {
  std::vector<const Term*> kept;
  for (const Term& term : terms_) {
    if (terms_.size() <= most || term.texts > 1) kept.push_back(&term);
  }
  if (kept.size() > most) {
    std::ranges::stable_sort(kept, std::greater<>(), [](const Term* term) { return term->texts; });
    kept.resize(most);
  }
  std::ranges::sort(kept, [&](const Term* a, const Term* b) {
    return std::pair(a->hash, bytes_of(*a)) < std::pair(b->hash, bytes_of(*b));
  });
  LearnedTerms learned;
  for (const Term* const term : kept) {
    learned.hashes.push_back(term->hash);
    learned.terms += bytes_of(*term);
    learned.ends.push_back(static_cast<std::uint32_t>(learned.terms.size()));
    learned.idf.push_back(
        std::log((1.0 + static_cast<double>(texts_)) / (1.0 + static_cast<double>(term->texts))) +
        1.0);
  }
  return learned;
}

}  // namespace headlight
