// A text → the rows of the table that its words, their n-grams of characters and its n-grams of
// words have (fastText 0.9.2, Dictionary::getLine).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fasttext/dictionary.h"

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
      : arguments_(arguments),
        dictionary_(dictionary),
        inverse_(UINT64_MAX / std::max(arguments.bucket, 1U) + 1) {}

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

  /// The rows of a text, in order.
  void rows_of(std::string_view text, std::vector<FasttextWord>& words,
               std::vector<std::uint32_t>& rows) const;

 private:
  std::optional<std::uint32_t> row_of_hash(std::uint64_t hash) const {
    return dictionary_.row_of_bucket(static_cast<std::uint32_t>(hash % arguments_.bucket));
  }

  /// hash % bucket, without a division (Lemire et al. 2019, "Faster Remainder by Direct
  /// Computation").
  std::uint32_t bucket_of(std::uint32_t hash) const {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t fraction = inverse_ * hash;
    return static_cast<std::uint32_t>(Wide{fraction} * arguments_.bucket >> 64U);
  }

  const FasttextArguments& arguments_;
  const FasttextDictionary& dictionary_;
  std::uint64_t inverse_;  // 2^64 / bucket
};

template <typename Add>
void FasttextWords::visit_word(std::string_view text, const FasttextWord& word,
                               const Add& add) const {
  const std::string_view bytes = text.substr(word.begin, word.end - word.begin);
  const bool is_end = bytes.empty() || bytes == kFasttextEnd;
  const auto most = static_cast<std::size_t>(arguments_.maxn);
  const auto least = static_cast<std::size_t>(arguments_.minn);
  if (word.number || !is_end) add(word.number, 1, bytes.size() + 1);
  if (is_end || most == 0) return;
  const std::size_t size = bytes.size() + 2;
  std::array<char, 64> small;
  std::string large;
  if (size > small.size()) large.resize(size);
  char* const marked = size > small.size() ? large.data() : small.data();
  marked[0] = '<';
  std::ranges::copy(bytes, marked + 1);
  marked[size - 1] = '>';
  const auto is_inside = [&](std::size_t i) { return i < size && (marked[i] & 0xC0) == 0x80; };
  for (std::size_t begin = 0; begin < size; ++begin) {
    if (is_inside(begin)) continue;
    std::uint32_t hash = kFasttextHash;
    std::size_t end = begin;
    for (std::size_t n = 1; end < size && n <= most; ++n) {
      do hash = grown_hash(hash, marked[end++]);
      while (is_inside(end));
      if (n < least || (n == 1 && (begin == 0 || end == size))) continue;
      add(dictionary_.row_of_bucket(bucket_of(hash)), begin, end);
    }
  }
}

template <typename Add>
void FasttextWords::visit_phrases(const std::vector<FasttextWord>& words, const Add& add) const {
  constexpr std::uint64_t kFactor = 116049371;
  const auto widened = [](std::uint32_t hash) {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(hash)});
  };
  const auto most = static_cast<std::size_t>(arguments_.word_ngrams);
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::uint64_t hash = widened(words[first].hash);
    for (std::size_t last = first + 1; last < words.size() && last < first + most; ++last) {
      hash = hash * kFactor + widened(words[last].hash);
      add(row_of_hash(hash), first, last);
    }
  }
}

}  // namespace headlight
