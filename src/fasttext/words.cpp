#include "fasttext/words.h"

#include <algorithm>
#include <array>

namespace headlight {
namespace {

constexpr std::string_view kBlanks(" \n\r\t\v\f\0", 7);
constexpr std::string_view kLabel = "__label__";

constexpr std::array<bool, 256> kIsBlank = [] {
  std::array<bool, 256> is_blank{};
  for (const char c : kBlanks) is_blank[static_cast<unsigned char>(c)] = true;
  return is_blank;
}();

bool is_fasttext_blank(char c) { return kIsBlank[static_cast<unsigned char>(c)]; }

}  // namespace

void FasttextWords::split(std::string_view text, std::vector<FasttextWord>& words) const {
  words.clear();
  const bool has_labels = arguments_.kind == FasttextKind::supervised;
  for (std::size_t at = 0; at < text.size();) {
    if (is_fasttext_blank(text[at])) {
      ++at;
      continue;
    }
    FasttextWord word{at, at, kFasttextHash, std::nullopt};
    for (; at < text.size() && !is_fasttext_blank(text[at]); ++at) {
      word.hash = grown_hash(word.hash, text[at]);
    }
    word.end = at;
    const std::string_view bytes = text.substr(word.begin, at - word.begin);
    word.number = dictionary_.find(bytes, word.hash);
    const bool is_label =
        word.number ? *word.number >= dictionary_.words() : has_labels && bytes.starts_with(kLabel);
    if (!is_label) words.push_back(word);
    if (has_labels && bytes == kFasttextEnd) return;
  }
  const std::uint32_t hash = fasttext_hash(kFasttextEnd);
  words.push_back({text.size(), text.size(), hash, dictionary_.find(kFasttextEnd, hash)});
}

// Places are rows as of a dictionary that keeps all buckets. If it does not, most of them end at a
// bit, and what is left is looked up when memory has had time: nearly no branch depends on it.
void FasttextWords::rows_of(std::string_view text, std::vector<FasttextWord>& words,
                            std::vector<std::uint32_t>& places,
                            std::vector<std::uint32_t>& rows) const {
  split(text, words);
  const auto known = static_cast<std::uint32_t>(dictionary_.words());
  const bool is_pruned = dictionary_.is_pruned();
  std::size_t count = 0;
  const auto put = [&](std::uint32_t place, bool counts) {
    if (count == places.size()) places.resize(2 * count + 256);
    places[count] = place;
    count += counts ? 1 : 0;
  };
  const auto put_bucket = [&](std::uint32_t bucket, std::size_t /*first*/, std::size_t /*last*/) {
    put(known + bucket, !is_pruned || dictionary_.may_keep(bucket));
  };
  for (const FasttextWord& word : words) {
    if (word.number) put(*word.number, true);
    visit_buckets(text.substr(word.begin, word.end - word.begin), put_bucket);
  }
  visit_phrase_buckets(words, put_bucket);
  if (!is_pruned) return rows.assign(places.data(), places.data() + count);
  constexpr std::size_t kAhead = 16;
  rows.resize(count);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t next = places[std::min(i + kAhead, count - 1)];
    dictionary_.prefetch_kept(next - known);
    rows[kept] = places[i] < known ? places[i] : dictionary_.kept_row(places[i] - known);
    kept += rows[kept] == FasttextDictionary::kNoRow ? 0 : 1;
  }
  rows.resize(kept);
}

}  // namespace headlight
