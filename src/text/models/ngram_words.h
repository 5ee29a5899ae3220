// Words with their n-grams of characters (Bojanowski et al. 2017, "Enriching Word Vectors with
// Subword Information").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/character_ngrams.h"
#include "text/models/word_model.h"

namespace headlight {

/// Which n-grams, and in how many buckets they are put by their hash.
struct CharacterNgrams {
  std::size_t least = 0;  // characters, with the marks < and > around a word
  std::size_t most = 0;
  std::size_t buckets = 0;
};

/// A word that the vocabulary has, then its n-grams, whose ids follow those of the vocabulary. Only
/// a word without either is unknown.
///
///     "cat" → cat, <c, <ca, ca, cat, at, at>, t>  (2 to 3 characters, marks included)
class NgramWords : public WordModel {
 public:
  NgramWords(Vocabulary vocabulary, std::optional<std::string> unk_token,
             const CharacterNgrams& ngrams);

  void tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const override;
  std::string name() const override;
  std::size_t ngrams() const override { return ngrams_.buckets; }

 private:
  CharacterNgrams ngrams_;
  HashBuckets buckets_;
};

}  // namespace headlight
