// Precompiled of a tokenizer.json: the rules of a SentencePiece model that say which characters
// become which. (google/sentencepiece, src/normalizer.cc)
//
//     u32   size of the trie in bytes
//     u32…  the trie, a double array as darts-clone writes it
//     …     what strings become, each ended by a NUL; a leaf of the trie says where it begins
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/normalizers/normalizer.h"

namespace headlight {

class Charsmap {
 public:
  /// Throws Error{"", what is wrong with the bytes}.
  explicit Charsmap(std::string_view bytes);

  /// What the shortest prefix of `key` (UTF-8) that has a rule becomes, as the reference looks up.
  /// Throws TextError where the trie points out of itself or into the middle of a character.
  std::optional<std::string_view> find(std::string_view key) const;

 private:
  std::uint32_t unit(std::size_t index) const;

  std::vector<std::uint32_t> trie_;
  std::string strings_;
};

/// Looks up each grapheme cluster of less than 6 bytes, and each character of the others.
class Precompiled : public NormalizerStep {
 public:
  explicit Precompiled(Charsmap map);
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "Precompiled"; }

 private:
  Charsmap map_;
  bool keeps_ascii_;  // no printable character of ASCII has a rule
};

}  // namespace headlight
