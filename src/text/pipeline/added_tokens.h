// Tokens that are extracted from a text before the model sees it: special tokens ([SEP]) and tokens
// that were added to a vocabulary. Some are matched in the original text, some in the normalized
// text.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/models/pair_map.h"
#include "text/normalizers/normalized_text.h"
#include "text/normalizers/normalizer.h"

namespace headlight {

/// As in a tokenizer.json.
struct AddedToken {
  std::string content;
  TokenId id = 0;
  bool special = false;
  bool normalized = false;   // its normalized spelling is matched in the normalized text
  bool single_word = false;  // not next to a word character
  bool lstrip = false;       // takes the white space before it
  bool rstrip = false;       // takes the white space after it
};

/// A part of a text: an added token, or the text between two.
struct TextPart {
  Span span;
  const AddedToken* token = nullptr;  // nullptr: text
};

/// Finds the longest of a set of strings at each position of a text.
/// An automaton of Aho and Corasick (1975) for the reversed strings. It reads a text from its end,
/// so the strings that begin at a position are known when it arrives there. The time is
/// proportional to the length of the text.
class LongestMatches {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  /// `number` stands for the string in find(). Of equal strings, the first counts. The string must
  /// not be empty.
  void add(std::u32string_view string, std::uint32_t number);
  /// Call it once, after the last string and before find().
  void finish();

  /// For each position the number of the longest string that begins there, or kNone.
  std::vector<std::uint32_t> find(std::u32string_view text) const;

 private:
  /// The end of a string, reversed; 0 is the root.
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t last = 0;  // its last character
    std::uint32_t depth = 0;
    std::uint32_t shorter = 0;     // its longest proper suffix that is a node
    std::uint32_t number = kNone;  // of the longest suffix that is a whole string
  };

  std::uint32_t next(std::uint32_t node, std::uint32_t character) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);
  PairMap edges_;  // node, character → node
};

/// Finds the strings of a set: the leftmost match first, and the longest at each position.
class AddedTokenMatcher {
 public:
  /// If spellings are equal, the first counts. Empty ones are ignored.
  void add(std::u32string_view spelling, const AddedToken& token);

  /// Call it once, after the last spelling and before cut().
  void finish();

  /// Splits all of `text`, in order. With `plain_text`, special tokens stay text. The time is
  /// proportional to the length of the text.
  std::vector<TextPart> cut(std::u32string_view text, bool plain_text) const;

  bool is_empty() const { return spellings_.empty(); }
  /// Whether a string of the set may begin with a character, or with the byte of UTF-8.
  bool may_begin(char32_t c) const { return c < begins_.size() ? begins_[c] : begins_beyond_; }
  /// Whether one may begin at a byte of `text`. A few characters decide.
  bool may_match(std::string_view text, std::size_t begin) const;

 private:
  /// A state of the trie of spellings; 0 is the root.
  struct Node {
    std::map<char32_t, std::size_t> next;
    const AddedToken* token = nullptr;
  };
  struct Match {
    const AddedToken* token;
    std::size_t end;
  };
  class Search;

  std::optional<Match> match_at(std::u32string_view text, std::size_t begin,
                                std::size_t& steps) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::array<bool, 0x80> begins_{};  // the ASCII characters that a spelling begins with
  bool begins_beyond_ = false;       // whether one begins with another character
  std::vector<Match> spellings_;     // with their lengths as ends
  LongestMatches longest_matches_;   // of spellings_; used if many partial matches are long
};

/// The added tokens of a tokenizer. Not movable, because the matchers point to the tokens.
class AddedTokens {
 public:
  AddedTokens(std::vector<AddedToken> tokens, const Normalizer& normalizer);
  AddedTokens(const AddedTokens&) = delete;
  AddedTokens& operator=(const AddedTokens&) = delete;
  ~AddedTokens() = default;

  const AddedTokenMatcher& in_raw_text() const { return raw_; }
  const AddedTokenMatcher& in_normalized_text() const { return normalized_; }
  std::size_t size() const { return tokens_.size(); }
  /// nullptr if there is none.
  const AddedToken* find(TokenId id) const;
  const AddedToken* find(std::string_view content) const;
  /// One more than the largest id; 0 without tokens.
  std::size_t id_limit() const;

 private:
  std::vector<AddedToken> tokens_;
  std::map<TokenId, const AddedToken*> by_id_;
  std::map<std::string_view, const AddedToken*> by_content_;
  AddedTokenMatcher raw_;
  AddedTokenMatcher normalized_;
};

}  // namespace headlight
