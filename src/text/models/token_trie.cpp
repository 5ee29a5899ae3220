#include "text/models/token_trie.h"

#include <algorithm>
#include <string_view>

namespace headlight {
namespace {

constexpr std::size_t kByteValues = 256;

}  // namespace

/// Places the nodes of the sorted tokens, parents before children.
class TokenTrie::Builder {
 public:
  Builder(const Vocabulary& vocabulary, std::vector<Slot>& slots) : slots_(slots) {
    tokens_.reserve(vocabulary.entries().size());
    for (const auto& [token, id] : vocabulary.entries()) tokens_.push_back({token, id});
    std::stable_sort(tokens_.begin(), tokens_.end(),
                     [](const Token& a, const Token& b) { return a.bytes < b.bytes; });
  }

  void build() {
    slots_.resize(2 * kByteValues);
    open_.push_back({kRoot, 0, 0, tokens_.size()});
    while (!open_.empty()) {
      const Prefix prefix = open_.back();
      open_.pop_back();
      place_children(prefix);
    }
  }

 private:
  struct Token {
    std::string_view bytes;
    TokenId id;
  };
  /// The tokens that begin with the same `length` bytes, as a range of tokens_.
  struct Prefix {
    Node node;
    std::size_t length;
    std::size_t begin;
    std::size_t end;
  };
  struct Child {
    unsigned char byte;
    std::size_t begin;  // of its tokens
  };

  void place_children(Prefix prefix) {
    while (prefix.begin < prefix.end && tokens_[prefix.begin].bytes.size() == prefix.length) {
      slots_[prefix.node].token = tokens_[prefix.begin++].id;
    }
    if (prefix.begin == prefix.end) return;
    children_.clear();
    for (std::size_t i = prefix.begin; i < prefix.end; ++i) {
      const auto byte = static_cast<unsigned char>(tokens_[i].bytes[prefix.length]);
      if (children_.empty() || children_.back().byte != byte) children_.push_back({byte, i});
    }
    const std::size_t base = find_base();
    slots_.resize(std::max(slots_.size(), base + kByteValues));
    slots_[prefix.node].base = static_cast<Node>(base);
    for (std::size_t end = prefix.end; !children_.empty(); children_.pop_back()) {
      const auto [byte, begin] = children_.back();
      const auto at = static_cast<Node>(base + byte);
      slots_[at].parent = prefix.node;
      open_.push_back({at, prefix.length + 1, begin, end});
      end = begin;
    }
  }

  /// An only child takes the first free slot. Several take the first place that fits behind one
  /// that moves on with what they try, so that all nodes together take linear time.
  std::size_t find_base() {
    constexpr std::size_t kMostTried = 64;
    std::size_t& from = children_.size() == 1 ? first_free_ : first_tried_;
    while (!is_free(from)) ++from;
    std::size_t at = from;
    for (std::size_t tried = 1; !fits(at); ++at, ++tried) {
      if (tried % kMostTried == 0) from = at;
    }
    return at - children_.front().byte;
  }

  /// Whether all children have free slots if that of the first is `at`.
  bool fits(std::size_t at) const {
    return std::all_of(children_.begin(), children_.end(), [&](const Child& child) {
      return is_free(at - children_.front().byte + child.byte);
    });
  }
  bool is_free(std::size_t at) const { return at >= slots_.size() || slots_[at].parent == kNone; }

  std::vector<Token> tokens_;  // in rising order
  std::vector<Slot>& slots_;
  std::vector<Prefix> open_;
  std::vector<Child> children_;           // of one node, in rising order
  std::size_t first_free_ = kByteValues;  // no base is negative, and no node is kRoot
  std::size_t first_tried_ = kByteValues;
};

TokenTrie::TokenTrie(const Vocabulary& vocabulary) { Builder(vocabulary, slots_).build(); }

}  // namespace headlight
