// Maps tokens to ids and back, and finds the longest token that is a prefix of a word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "text/encoding.h"

namespace headlight {

struct TokenEntry {
  std::string token;
  TokenId id;
};

/// A hash table of strings. Lookups take views and do not allocate.
class TokenIndex {
 public:
  struct Prefix {
    TokenId id;
    std::size_t bytes;
  };

  /// Has room for `tokens` insertions; do not insert more.
  explicit TokenIndex(std::size_t tokens);

  /// Replaces the id of an existing token.
  void insert(std::string_view token, TokenId id);
  /// The same for several tokens, in their order.
  void insert_all(const std::vector<TokenEntry>& entries);

  std::optional<TokenId> find(std::string_view token) const;

  /// The longest non-empty token that is a prefix of `text`. The time is at most proportional to
  /// the longest token of the table. Tokens and text must be UTF-8.
  std::optional<Prefix> find_longest_prefix(std::string_view text) const;

  /// The length of the longest token in bytes.
  std::size_t longest() const { return longest_; }
  /// The number of different tokens.
  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint32_t begin = 0;  // start of the token in bytes_
    std::uint32_t length = kFree;
    TokenId id = 0;
    std::uint32_t tag = 0;  // bits of the token's hash, to avoid most comparisons
  };
  static constexpr std::uint32_t kFree = 0xFFFFFFFFU;

  std::size_t first_slot(std::uint64_t hash) const;
  std::size_t find_slot(std::string_view token, std::uint64_t hash) const;
  void insert(std::string_view token, std::uint64_t hash, TokenId id);

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::string bytes_;
  std::size_t longest_ = 0;
  std::size_t size_ = 0;
};

/// The UTF-8 of a word for a lookup in a TokenIndex. Allocates only for long words.
class Utf8Word {
 public:
  explicit Utf8Word(std::u32string_view word) {
    if (word.size() > kUsual) {
      long_ = to_utf8(word);
    } else {
      size_ = write_utf8(word, usual_.data());
    }
  }

  /// Valid during the lifetime of this object.
  std::string_view view() const {
    return long_.empty() ? std::string_view(usual_.data(), size_) : long_;
  }

 private:
  static constexpr std::size_t kUsual = 64;

  std::array<char, kUsual * kLongestUtf8> usual_;
  std::size_t size_ = 0;
  std::string long_;
};

/// The tokens of a model. Ids may be in any order and have gaps.
class Vocabulary {
 public:
  using Entry = TokenEntry;

  /// A repeated token keeps its last id.
  explicit Vocabulary(std::vector<Entry> entries);
  /// The index of a token is its id.
  explicit Vocabulary(std::vector<std::string> tokens);

  std::optional<TokenId> id(std::string_view token) const { return index_.find(token); }
  /// nullptr if no token has this id.
  const std::string* token(TokenId id) const;
  const TokenIndex& index() const { return index_; }
  /// In rising order of ids.
  const std::vector<Entry>& entries() const { return entries_; }
  /// One more than the largest id; 0 without tokens.
  std::size_t id_limit() const;

 private:
  std::vector<Entry> entries_;
  TokenIndex index_;
};

}  // namespace headlight
