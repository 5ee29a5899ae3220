// Learns the vocabulary of a tokenizer from texts: the commonest words, or word pieces.
//
// Pieces are learned as BPE merges (Sennrich et al. 2016, "Neural Machine Translation of Rare Words
// with Subword Units", §3.2), as the WordPieceTrainer of the `tokenizers` library does: beginning
// with single characters, the most frequent pair of pieces becomes a piece. The result depends only
// on the texts and the settings.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/files/native_tokenizer.h"

namespace headlight {

struct VocabularyRequest {
  TokenizerSettings tokenizer;
  std::size_t size = 0;        // the maximum number of tokens, special ones included
  std::optional<TokenId> pad;  // the id of [PAD], if the model needs it
};

struct CountedWord {
  std::u32string word;
  std::size_t count;
};

/// At most `most` pieces: characters, first as beginnings of words and then with the prefix ##, in
/// code point order, then merged pieces in the order of the merges. A merged pair occurs at least
/// twice. The most frequent characters have at most half of the pieces, and at most 1000 of each
/// kind; words with other characters are ignored.
std::vector<std::string> learn_pieces(const std::vector<CountedWord>& words, std::size_t most);

struct WordCounts {
  std::size_t all = 0;         // words of the texts
  std::size_t once = 0;        // that occur once
  std::size_t characters = 0;  // of the different words

  /// The share of the words of other texts that these do not have (Good 1953, "The Population
  /// Frequencies of Species and the Estimation of Population Parameters").
  double unseen_share() const {
    return all == 0 ? 0.0 : static_cast<double>(once) / static_cast<double>(all);
  }
};

class VocabularyLearning {
 public:
  explicit VocabularyLearning(VocabularyRequest request);

  /// Counts the words of a text. Throws TextError for bad UTF-8. Memory is limited: if there are
  /// more than two million different words, the rarest are forgotten.
  void read(std::string_view text);

  /// The index of a token is its id: special tokens, then characters and pieces, or words, the most
  /// frequent first. Words and pieces that occur only once are left out. Throws Error if `size` has
  /// no room for a word besides the special tokens, or if no word occurs twice and the tokenizer
  /// has no n-grams of characters.
  std::vector<std::string> learn() const;
  WordCounts counts() const;

 private:
  void forget_rarest();

  VocabularyRequest request_;
  std::unordered_map<std::string, std::size_t> counts_;
  std::size_t forgotten_ = 0;  // words with at most this count were forgotten
};

}  // namespace headlight
