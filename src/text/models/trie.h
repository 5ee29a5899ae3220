// Tokens by their characters: finds every token that a text begins with, the shortest first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "text/encoding.h"
#include "text/models/pair_map.h"

namespace headlight {

/// Walked from kRoot a character at a time, so that each step takes the same short time.
class Trie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;

  Trie() : tokens_(1) {}

  /// A token that is there already gets the new id.
  void insert(std::u32string_view token, TokenId id);

  /// Nothing where no token goes on with `c`.
  std::optional<Node> child(Node node, char32_t c) const { return edges_.find(node, c); }

  /// The token that ends here.
  std::optional<TokenId> token(Node node) const { return tokens_[node]; }

 private:
  PairMap edges_;  // node, character → node
  std::vector<std::optional<TokenId>> tokens_;
};

}  // namespace headlight
