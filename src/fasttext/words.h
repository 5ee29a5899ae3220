// A text → the rows of the table that its words, their n-grams of characters and its n-grams of
// words have (fastText 0.9.2, Dictionary::getLine).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fasttext/dictionary.h"
#include "text/character_ngrams.h"

namespace headlight {

/// The word that ends each text.
inline constexpr std::string_view kFasttextEnd = "</s>";

/// A word that takes part, in bytes of its text.
struct FasttextWord {
  std::size_t begin = 0;
  std::size_t end = 0;  // begin, if it is the end that is put in
  std::uint32_t hash = 0;
  std::optional<std::uint32_t> number;  // in the dictionary
};

/// Which words a text has, and which rows. Const and shared by threads.
class FasttextWords {
 public:
  /// The dictionary must outlive it.
  FasttextWords(const FasttextArguments& arguments, const FasttextDictionary& dictionary)
      : arguments_(arguments), dictionary_(dictionary), buckets_(arguments.bucket) {}

  /// The words up to the end of the text, which is the last one. Labels are left out. A model
  /// without labels has neither: each word is one.
  void split(std::string_view text, std::vector<FasttextWord>& words) const;

  /// `add(row, begin, end)` gets the row of a word, then those of its n-grams of characters, as
  /// bytes of "<word>"; nullopt: the model has no such row.
  template <typename Add>
  void visit_word(std::string_view text, const FasttextWord& word, const Add& add) const;
  /// `add(row, first, last)` gets the row of each n-gram of words `first` to `last`.
  template <typename Add>
  void visit_phrases(const std::vector<FasttextWord>& words, const Add& add) const;

  /// The rows of a text, in order. `places` is memory for it.
  void rows_of(std::string_view text, std::vector<FasttextWord>& words,
               std::vector<std::uint32_t>& places, std::vector<std::uint32_t>& rows) const;

 private:
  static bool is_end(std::string_view word) { return word.empty() || word == kFasttextEnd; }
  /// `add(bucket, begin, end)` gets the n-grams of characters of a word.
  template <typename Add>
  void visit_buckets(std::string_view word, const Add& add) const;
  /// The same of the n-grams of words.
  template <typename Add>
  void visit_phrase_buckets(const std::vector<FasttextWord>& words, const Add& add) const;

  const FasttextArguments& arguments_;
  const FasttextDictionary& dictionary_;
  HashBuckets buckets_;
};

template <typename Add>
void FasttextWords::visit_word(std::string_view text, const FasttextWord& word,
                               const Add& add) const {
  const std::string_view bytes = text.substr(word.begin, word.end - word.begin);
  if (word.number || !is_end(bytes)) add(word.number, 1, bytes.size() + 1);
  visit_buckets(bytes, [&](std::uint32_t bucket, std::size_t begin, std::size_t end) {
    add(dictionary_.row_of_bucket(bucket), begin, end);
  });
}

template <typename Add>
void FasttextWords::visit_buckets(std::string_view word, const Add& add) const {
  const auto most = static_cast<std::size_t>(arguments_.maxn);
  const auto least = static_cast<std::size_t>(arguments_.minn);
  if (is_end(word) || most == 0) return;
  visit_character_ngrams(word, least, most,
                         [&](std::uint32_t hash, std::size_t begin, std::size_t end) {
                           add(buckets_.of(hash), begin, end);
                         });
}

template <typename Add>
void FasttextWords::visit_phrases(const std::vector<FasttextWord>& words, const Add& add) const {
  visit_phrase_buckets(words, [&](std::uint32_t bucket, std::size_t first, std::size_t last) {
    add(dictionary_.row_of_bucket(bucket), first, last);
  });
}

template <typename Add>
void FasttextWords::visit_phrase_buckets(const std::vector<FasttextWord>& words,
                                         const Add& add) const {
  constexpr std::uint64_t kFactor = 116049371;
  const auto widened = [](std::uint32_t hash) {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(hash)});
  };
  const auto most = static_cast<std::size_t>(arguments_.word_ngrams);
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::uint64_t hash = widened(words[first].hash);
    for (std::size_t last = first + 1; last < words.size() && last < first + most; ++last) {
      hash = hash * kFactor + widened(words[last].hash);
      add(static_cast<std::uint32_t>(hash % arguments_.bucket), first, last);
    }
  }
}

}  // namespace headlight
