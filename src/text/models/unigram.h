// The unigram language model: splits a word into the pieces whose scores (log probabilities) have
// the largest sum (Kudo 2018, https://aclanthology.org/P18-1007).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/models/byte_tokens.h"
#include "text/models/token_trie.h"
#include "text/models/word_model.h"

namespace headlight {

/// With the scores a: −1, b: −1, ab: −3, bc: −2:
///
///     "abc" → a, bc (−3), not ab, c (unknown)
class Unigram : public WordModel {
 public:
  struct Piece {
    std::string text;
    double score;  // finite
  };

  /// The index of a piece is its id. If a piece is repeated, the last one counts. Without `unk_id`,
  /// a text that needs an unknown token is an error. With `byte_fallback`, an unknown part becomes
  /// its bytes if all of them are pieces.
  Unigram(const std::vector<Piece>& pieces, std::optional<TokenId> unk_id, bool byte_fallback);

  /// The Viterbi algorithm. The time is proportional to the length of the word times that of the
  /// longest matching piece.
  void tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const override;
  std::string name() const override { return "Unigram"; }
  std::size_t longest_searched() const override { return vocabulary().index().longest(); }
  /// A repeated piece counts again.
  std::size_t size() const override { return scores_.size(); }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  /// The best split of a prefix of the word, given by its last token.
  struct Path {
    double score = 0;
    std::uint32_t begin = kNone;  // of the last token; kNone: no split is known
    TokenId id = 0;
  };

  std::vector<Path> best_paths(std::u32string_view word) const;
  TokenId unknown_token(std::u32string_view character) const;
  void append_unknown_part(std::u32string_view word, Span span,
                           std::vector<WordToken>& tokens) const;

  TokenTrie trie_;
  std::vector<double> scores_;
  double unknown_score_;
  std::optional<TokenId> unk_id_;
  std::optional<ByteTokens> bytes_;  // nullopt: no byte fallback
};

}  // namespace headlight
