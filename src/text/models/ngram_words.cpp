#include "text/models/ngram_words.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace headlight {

NgramWords::NgramWords(Vocabulary vocabulary, std::optional<std::string> unk_token,
                       const CharacterNgrams& ngrams)
    : WordModel(std::move(vocabulary), std::move(unk_token)),
      ngrams_(ngrams),
      buckets_(static_cast<std::uint32_t>(ngrams.buckets)) {}

void NgramWords::tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const {
  const Utf8Word utf8(word);
  const std::string_view bytes = utf8.view();
  const auto size = static_cast<std::uint32_t>(word.size());
  const std::size_t before = tokens.size();
  if (const auto id = vocabulary().id(bytes)) tokens.push_back({*id, {0, size}});
  const auto first_id = static_cast<TokenId>(vocabulary().id_limit());
  // Characters of "<word>" between two of its bytes.
  const auto characters = [&](std::size_t begin, std::size_t end) {
    if (bytes.size() == size) return static_cast<std::uint32_t>(end - begin);
    std::uint32_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_mark = i == 0 || i > bytes.size();
      if (is_mark || !continues_character(bytes[i - 1])) ++count;
    }
    return count;
  };
  std::size_t at = 0;
  std::uint32_t first = 0;  // characters of "<word>" before byte `at`
  visit_character_ngrams(
      bytes, ngrams_.least, ngrams_.most,
      [&](std::uint32_t hash, std::size_t begin, std::size_t end) {
        first += characters(at, begin);
        at = begin;
        const std::uint32_t last = first + characters(begin, end);
        const Span span{std::max(first, 1U) - 1, std::min(last - 1, size)};
        tokens.push_back({first_id + buckets_.of(hash), span,
                          marked_spelling(/*begins=*/first == 0, /*ends=*/last == size + 2)});
      });
  if (tokens.size() == before) append_unknown(word, tokens);
}

std::string NgramWords::name() const {
  return "WordLevel, n-grams of " + std::to_string(ngrams_.least) + " to " +
         std::to_string(ngrams_.most) + " characters";
}

}  // namespace headlight
