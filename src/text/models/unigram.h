// The unigram language model: splits a word into the pieces whose scores (log probabilities) have
// the largest sum (Kudo 2018, https://aclanthology.org/P18-1007).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/models/byte_tokens.h"
#include "text/models/pair_map.h"
#include "text/models/word_model.h"

namespace headlight {

/// A trie of tokens: finds every token that is a prefix of a text, shortest first.
/// Start at kRoot and follow one character at a time. Each step takes constant time.
class Trie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;

  Trie() : tokens_(1) {}

  /// Replaces the id of an existing token.
  void insert(std::u32string_view token, TokenId id);

  /// nullopt if no token continues with `c`.
  std::optional<Node> child(Node node, char32_t c) const { return edges_.find(node, c); }

  /// The token that ends at `node`.
  std::optional<TokenId> token(Node node) const { return tokens_[node]; }

 private:
  PairMap edges_;  // node, character → node
  std::vector<std::optional<TokenId>> tokens_;
};

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

 private:
  /// The best split of a prefix of the word, given by its last token.
  struct Path {
    double score = 0;
    std::uint32_t begin = 0;  // of the last token
    TokenId id = 0;
    bool is_reached = false;
  };

  std::vector<Path> best_paths(std::u32string_view word) const;
  TokenId unknown_token(std::u32string_view character) const;
  void append_unknown_part(std::u32string_view word, Span span,
                           std::vector<WordToken>& tokens) const;

  Trie trie_;
  std::vector<double> scores_;
  double unknown_score_;
  std::optional<TokenId> unk_id_;
  std::optional<ByteTokens> bytes_;  // nullopt: no byte fallback
};

}  // namespace headlight
