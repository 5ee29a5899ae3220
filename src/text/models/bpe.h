// Byte-pair encoding: merges adjacent symbols of a word, the pair that was learned first before all
// others (Sennrich, Haddow and Birch 2016, https://aclanthology.org/P16-1162). For BPE over bytes
// (Radford et al. 2019), the splitter maps each byte to a character.
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

/// Merges l+o, then lo+w:
///
///     "slow" → s l o w → s lo w → s low
class BPE : public WordModel {
 public:
  struct Options {
    std::optional<std::string> unk_token;     // nullopt: unknown characters are omitted
    std::string continuing_subword_prefix{};  // of each character except the first
    std::string end_of_word_suffix{};         // of the last character
    bool fuse_unk = false;                    // adjacent unknown characters are one token
    bool byte_fallback = false;  // an unknown character becomes its bytes, if they are tokens
    bool ignore_merges = false;  // a word that is a token is not split
  };

  /// Two adjacent tokens and the merged token.
  struct Merge {
    TokenId left;
    TokenId right;
    TokenId merged;
  };

  /// The first merge has the highest priority. If a pair is repeated, the last one counts.
  BPE(Vocabulary vocabulary, const std::vector<Merge>& merges, Options options);

  /// O(n log n) for a word of n characters.
  void tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const override;
  std::string name() const override { return "BPE"; }
  bool marks_continuations() const override { return !options_.continuing_subword_prefix.empty(); }

 private:
  /// A part of the word, and its neighbours during merging.
  struct Symbol {
    TokenId id;
    std::uint32_t bytes;         // of the word; 0 if it was merged into another symbol
    std::uint32_t rank = kNone;  // of the pair with the next one
    std::uint32_t previous = kNone;
    std::uint32_t next = kNone;
  };

  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  std::optional<TokenId> id_of(std::u32string_view word, std::size_t at,
                               std::string& spelling) const;
  std::vector<Symbol> symbols_of(std::u32string_view word) const;
  bool append_bytes(std::string_view spelling, std::vector<Symbol>& symbols) const;
  void merge(std::vector<Symbol>& symbols) const;
  void merge_few(std::vector<Symbol>& symbols) const;
  void merge_many(std::vector<Symbol>& symbols) const;

  Options options_;
  std::vector<std::optional<TokenId>> single_ids_;  // of the first characters of Unicode
  std::optional<ByteTokens> bytes_;                 // nullopt: no byte fallback
  PairMap ranks_;                                   // left, right → index in merged_
  std::vector<TokenId> merged_;
};

}  // namespace headlight
