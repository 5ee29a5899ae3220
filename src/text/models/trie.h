// A trie of tokens: finds every token that is a prefix of a text, shortest first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "text/encoding.h"
#include "text/models/pair_map.h"

namespace headlight {

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

}  // namespace headlight
