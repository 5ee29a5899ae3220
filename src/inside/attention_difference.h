// How attention differs between two texts, between the words that they have in common.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "encoder/trace.h"
#include "text/token_words.h"

namespace headlight {

/// A word of one text and the word of another that stands for it, by their numbers.
struct AlignedWords {
  std::size_t before = 0;
  std::size_t after = 0;
};

/// The words that are the same or are substituted in the edit distance by word (Levenshtein 1966),
/// ascending. Among the shortest ways from one text to the other, one with the most words that are
/// the same. A word is substituted only by one of the same sequence: special tokens, the text, and
/// its pair stay apart.
std::vector<AlignedWords> aligned_words(std::span<const TokenWord> before,
                                        std::span<const TokenWord> after);

/// Replaces the attention of `after` by itself less that of `before`, which must have as many
/// layers, heads and tokens.
void subtract_attention(const TextTrace& before, TextTrace& after);

/// The weights [n, n] of one head, and the words of the n tokens.
struct HeadOfText {
  std::span<const float> weights;
  std::span<const TokenWord> words;
};

/// [p, p] attention between the words of `pairs`, after less before; rows are queries. Attention
/// between words is that of attention_view.h.
std::vector<float> attention_difference(const HeadOfText& before, const HeadOfText& after,
                                        std::span<const AlignedWords> pairs);

}  // namespace headlight
