// Byte-level tokenizers (GPT-2, RoBERTa; openai/gpt-2, src/encoder.py). A text is split into words,
// and each byte of its UTF-8 becomes one visible character. 256 characters can then spell every
// text.
//
//     "don't café" → don | 't | Ġcafé → don | 't | ĠcafÃ©
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/normalizers/normalizer.h"
#include "text/splitters/splitter.h"

namespace headlight {

/// The character of a byte: 21–7E, A1–AC and AE–FF map to themselves, the other 68 to U+0100 and
/// following.
char32_t byte_character(unsigned char byte);

/// The end of the word that begins at `begin` (< text.size()):
/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
std::size_t gpt2_word_end(std::u32string_view text, std::size_t begin);

class ByteLevelSplit : public SplitStep {
 public:
  /// `prefix_space`: inserts a space before each piece that does not begin with one. Without
  /// `cut_words`, pieces are not split.
  ByteLevelSplit(bool prefix_space, bool cut_words)
      : prefix_space_(prefix_space), cut_words_(cut_words) {}
  void apply(SplitText& split) const override;
  std::string name() const override { return "ByteLevel"; }
  WordCuts cuts() const override;

 private:
  bool prefix_space_;
  bool cut_words_;
};

/// Only converts bytes to characters, before the text is split.
class SpellBytes : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "bytes"; }
  Reach reach() const override { return Reach::text; }  // a space becomes Ġ
};

}  // namespace headlight
