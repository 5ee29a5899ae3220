// Byte-pair encoding: a word's characters are merged two by two, the pair learned first before all
// others. (Sennrich, Haddow and Birch 2016, https://aclanthology.org/P16-1162; over bytes: Radford
// et al. 2019, where the splitter has made a character of each byte)
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
    std::optional<std::string> unk_token;     // nothing: unknown characters are left out
    std::string continuing_subword_prefix{};  // of each character but the first
    std::string end_of_word_suffix{};         // of the last character
    bool fuse_unk = false;                    // unknown characters side by side are one token
    bool byte_fallback = false;  // an unknown character is its bytes, where they are tokens
    bool ignore_merges = false;  // a word that is a token as a whole is that token
  };

  /// Neighbours, and what becomes of them.
  struct Merge {
    TokenId left;
    TokenId right;
    TokenId merged;
  };

  /// The first merge is the strongest; of a repeated pair the last one counts.
  BPE(Vocabulary vocabulary, const std::vector<Merge>& merges, Options options);

  /// Takes n log n time for a word of n characters.
  void tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const override;
  std::string name() const override { return "BPE"; }

 private:
  /// A part of the word, and its neighbours as long as there are merges.
  struct Symbol {
    TokenId id;
    std::uint32_t bytes;         // of the word; 0 where another symbol has swallowed this one
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

  Options options_;
  std::vector<std::optional<TokenId>> single_ids_;  // of the first characters of Unicode
  std::optional<ByteTokens> bytes_;                 // nothing: no byte fallback
  PairMap ranks_;                                   // left, right → index in merged_
  std::vector<TokenId> merged_;
};

}  // namespace headlight
