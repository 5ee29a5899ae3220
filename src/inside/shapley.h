// The effect of each word as its Shapley value: the mean change of the logits when the word joins
// the words before it, over all orders of the words (Shapley 1953; by sampled orders: Castro et al.
// 2009, "Polynomial calculation of the Shapley value based on sampling"). Unlike leaving out one
// word, it sees words that can replace each other. The effects of all words add up to the logits of
// the text less those of the text without words. Of a text that is cut, only the words that are
// read take part: no word behind them comes in where one of them is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "inside/explanation.h"

namespace headlight {

struct ShapleyOptions {
  static constexpr std::size_t kFewestSamples = 4;

  std::size_t samples = 200;  // orders of the words, at least kFewestSamples
  std::uint64_t seed = 0;
};

/// Exact if all sets of words are at most as many texts as the samples need. Else it samples each
/// order with its reverse, until the largest standard error is below 5 % of the largest effect, or
/// all samples are spent. The same seed gives the same bits. Empty if it was stopped. Throws
/// TextError if the text, or a part of it (down to no words), cannot be scored.
std::optional<Explanation> explain_by_shapley(const TextClassifier& classifier,
                                              const TextInput& input, const ShapleyOptions& options,
                                              const ExplanationWatch& watch);

/// The most texts that explain_by_shapley() scores for this number of words that are read.
std::size_t shapley_texts(std::size_t words, const ShapleyOptions& options);

}  // namespace headlight
