// Attention between words (Clark et al. 2019, "What Does BERT Look At?", §4.1): attention to a word
// is the sum over its pieces, attention from a word is the mean over its pieces. Rows that sum to 1
// still do.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "text/token_words.h"

namespace headlight {

/// Attention to tokens [m, n] → attention to words [m, w]: summed over each word's tokens. The
/// words contain all n tokens, in order. Plain loops, because a product with a 0/1 matrix [n, w]
/// would need w times as many operations.
template <typename Number>
std::vector<double> word_keys(std::span<const Number> weights, std::span<const TokenWord> words) {
  const std::size_t n = words.empty() ? 1 : words.back().end;
  std::vector<double> merged;
  merged.reserve(weights.size() / n * words.size());
  for (std::size_t row = 0; row + n <= weights.size(); row += n) {
    for (const TokenWord& word : words) {
      double sum = 0.0;
      for (std::size_t key = word.begin; key < word.end; ++key) sum += weights[row + key];
      merged.push_back(sum);
    }
  }
  return merged;
}

/// Attention from tokens [n, w] → attention from words [w, w]: averaged over each word's tokens.
std::vector<double> word_queries(std::span<const double> weights, std::span<const TokenWord> words);

}  // namespace headlight
