// Token to id and back, and the longest token that begins a word.
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

/// A hash table of strings that is asked with views and never allocates for an answer.
class TokenIndex {
 public:
  struct Prefix {
    TokenId id;
    std::size_t bytes;
  };

  /// Room for `tokens` insertions; more must not follow.
  explicit TokenIndex(std::size_t tokens);

  /// A token that is there already gets the new id.
  void insert(std::string_view token, TokenId id);

  std::optional<TokenId> find(std::string_view token) const;

  /// The longest token, not the empty one, that `text` begins with. Takes time in proportion to the
  /// longest token of the table at most. Both must be UTF-8.
  std::optional<Prefix> find_longest_prefix(std::string_view text) const;

  /// Different tokens.
  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint32_t begin = 0;  // of the token in bytes_
    std::uint32_t length = kFree;
    TokenId id = 0;
    std::uint32_t tag = 0;  // of the token's hash, so that others are seldom compared with it
  };
  static constexpr std::uint32_t kFree = 0xFFFFFFFFU;

  std::size_t find_slot(std::string_view token, std::uint64_t hash) const;

  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  std::string bytes_;
  std::size_t longest_ = 0;
  std::size_t size_ = 0;
};

/// A word as a TokenIndex is asked for it: its UTF-8, without allocation unless it is a long one.
class Utf8Word {
 public:
  explicit Utf8Word(std::u32string_view word) {
    if (word.size() > kUsual) {
      long_ = to_utf8(word);
    } else {
      size_ = write_utf8(word, usual_.data());
    }
  }

  /// Valid as long as this is.
  std::string_view view() const {
    return long_.empty() ? std::string_view(usual_.data(), size_) : long_;
  }

 private:
  static constexpr std::size_t kUsual = 64;

  std::array<char, kUsual * kLongestUtf8> usual_;
  std::size_t size_ = 0;
  std::string long_;
};

/// The tokens of a model, in any order of ids and with holes.
class Vocabulary {
 public:
  struct Entry {
    std::string token;
    TokenId id;
  };

  /// A repeated token keeps its last id.
  explicit Vocabulary(std::vector<Entry> entries);
  /// The index is the id.
  explicit Vocabulary(std::vector<std::string> tokens);

  std::optional<TokenId> id(std::string_view token) const { return index_.find(token); }
  /// nullptr where no token has this id.
  const std::string* token(TokenId id) const;
  const TokenIndex& index() const { return index_; }
  /// In rising order of ids.
  const std::vector<Entry>& entries() const { return entries_; }
  /// One more than the largest id; 0 where there is none.
  std::size_t id_limit() const;

 private:
  std::vector<Entry> entries_;
  TokenIndex index_;
};

}  // namespace headlight
