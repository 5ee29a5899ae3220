#include "text/normalizers/replace.h"

#include <vector>

namespace headlight {

void Replace::apply(NormalizedText& text) const {
  const std::vector<Span> matches = pattern_.find_all(text.characters);
  if (matches.empty()) return;
  check_growth(text.size(), matches.size() * content_.size());
  NormalizedText replaced;
  replaced.begin = text.begin;
  std::uint32_t done = 0;
  const auto keep_until = [&](std::size_t end) {
    for (; done < end; ++done) replaced.push_back(text.characters[done], text.origins[done]);
  };
  for (const Span match : matches) {
    keep_until(match.begin);
    for (const char32_t c : content_) replaced.push_back(c, text.origin_before(match.end));
    done = match.end;
  }
  keep_until(text.size());
  text = std::move(replaced);
}

}  // namespace headlight
