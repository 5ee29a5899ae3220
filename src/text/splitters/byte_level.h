// Byte-level tokenizers (GPT-2, RoBERTa): a text is cut into words, and each byte of its UTF-8
// becomes one character that can be seen, so that a vocabulary of 256 characters spells everything.
// (openai/gpt-2, src/encoder.py)
//
//     "don't café" → don | 't | Ġcafé → don | 't | ĠcafÃ©
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/normalizers/normalizer.h"
#include "text/splitters/splitter.h"

namespace headlight {

/// The character of a byte: 21–7E, A1–AC and AE–FF are their own, the other 68 are U+0100 and on.
char32_t byte_character(unsigned char byte);

/// Where the word ends that begins at `begin` (< text.size()):
/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
std::size_t gpt2_word_end(std::u32string_view text, std::size_t begin);

class ByteLevelSplit : public SplitStep {
 public:
  /// `prefix_space`: each piece that does not begin with a blank gets one. Without `cut_words` the
  /// pieces stay whole.
  ByteLevelSplit(bool prefix_space, bool cut_words)
      : prefix_space_(prefix_space), cut_words_(cut_words) {}
  void apply(SplitText& split) const override;
  std::string name() const override { return "ByteLevel"; }

 private:
  bool prefix_space_;
  bool cut_words_;
};

/// The bytes alone, before the text is cut.
class SpellBytes : public NormalizerStep {
 public:
  void apply(NormalizedText& text) const override;
  std::string name() const override { return "bytes"; }
};

}  // namespace headlight
