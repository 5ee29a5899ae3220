// A trie of tokens, byte by byte, as a double array (Aoe 1989, https://doi.org/10.1109/32.31365):
// the child of a node for a byte is in slot base + byte, if that slot names the node as its parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "text/models/vocabulary.h"

namespace headlight {

/// Finds every token that is a prefix of a text, shortest first. Start at kRoot and follow one byte
/// at a time. Each step takes constant time.
class TokenTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;

  /// Of equal tokens, the last counts.
  explicit TokenTrie(const Vocabulary& vocabulary);

  /// nullopt if no token continues with `byte`.
  std::optional<Node> child(Node node, char byte) const {
    const Node at = slots_[node].base + static_cast<unsigned char>(byte);
    return slots_[at].parent == node ? std::optional(at) : std::nullopt;
  }

  /// The token that ends at `node`.
  std::optional<TokenId> token(Node node) const {
    const TokenId id = slots_[node].token;
    return id == kNone ? std::nullopt : std::optional(id);
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  struct Slot {
    Node parent = kNone;  // kNone: free
    Node base = 0;
    TokenId token = kNone;
  };
  class Builder;

  std::vector<Slot> slots_;  // a slot for each base and byte
};

}  // namespace headlight
