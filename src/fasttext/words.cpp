#include "fasttext/words.h"

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

void FasttextWords::rows_of(std::string_view text, std::vector<FasttextWord>& words,
                            std::vector<std::uint32_t>& rows) const {
  rows.clear();
  split(text, words);
  const auto add = [&](std::optional<std::uint32_t> row, std::size_t /*first*/,
                       std::size_t /*last*/) {
    if (row) rows.push_back(*row);
  };
  for (const FasttextWord& word : words) visit_word(text, word, add);
  visit_phrases(words, add);
}

}  // namespace headlight
