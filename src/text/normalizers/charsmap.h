// Precompiled in a tokenizer.json: the character replacement rules of a SentencePiece model
// (google/sentencepiece, src/normalizer.cc).
//
//     u32   size of the trie in bytes
//     u32…  the trie, a double array as darts-clone writes it
//     …     the replacements, each ended by a NUL; a leaf of the trie has the start of one
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
  /// Throws Error{"", message} if the bytes are invalid.
  explicit Charsmap(std::string_view bytes);

  /// The replacement for the shortest prefix of `key` (UTF-8) that has a rule, as in the reference.
  /// Throws TextError if the trie points outside itself or into the middle of a character.
  std::optional<std::string_view> find(std::string_view key) const;

 private:
  std::uint32_t unit(std::size_t index) const;

  std::vector<std::uint32_t> trie_;
  std::string strings_;
};

/// Looks up each grapheme cluster of less than 6 bytes. In longer clusters, looks up each
/// character.
class Precompiled : public NormalizerStep {
 public:
  explicit Precompiled(Charsmap map);
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "Precompiled"; }
  Reach reach() const override { return keeps_ascii_ ? Reach::word : Reach::text; }

 private:
  Charsmap map_;
  bool keeps_ascii_;  // no printable ASCII character has a rule
};

}  // namespace headlight
