#include "text/models/trie.h"

namespace headlight {

void Trie::insert(std::u32string_view token, TokenId id) {
  Node node = kRoot;
  for (const char32_t c : token) {
    if (const auto next = child(node, c)) {
      node = *next;
      continue;
    }
    const auto next = static_cast<Node>(tokens_.size());
    edges_.insert(node, c, next);
    tokens_.emplace_back();
    node = next;
  }
  tokens_[node] = id;
}

}  // namespace headlight
