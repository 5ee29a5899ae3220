// Whether an explanation is true: does the prediction change when the words that it names first are
// left out (comprehensiveness), and does it stay when only they are kept (sufficiency)? (DeYoung et
// al. 2020, "ERASER: A Benchmark to Evaluate Rationalized NLP Models", §4.) Both depend on the text
// and the model, so they are also given relative to the worst and the best order of the words that
// were found (Edin et al. 2024, "Normalized AOPC: Fixing Misleading Faithfulness Metrics for
// Feature Attribution Explainability").
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "inside/explanation.h"
#include "inside/word_subsets.h"

namespace headlight {

/// Numbers of words, one each.
using WordOrder = std::vector<std::size_t>;

/// The words that support the predicted label most first; equal ones in the order of the text.
/// Numbers are those among the words that are read.
WordOrder order_of_words(const Explanation& explanation);

/// One for each of the `given` orders. The best and the worst order are exact for texts with at
/// most kExactlyOrdered words; for longer ones they are searched with a beam, which is narrower
/// beyond 24 words. Empty if it was stopped. Throws TextError if the text has fewer than 2 words,
/// or a part of it cannot be scored.
std::optional<std::vector<Faithfulness>> faithfulness_of(WordSubsets& subsets,
                                                         std::span<const WordOrder> given);

/// The mean of each measure over those that have it. `all` must not be empty.
Faithfulness mean_faithfulness(std::span<const Faithfulness> all);

inline constexpr std::size_t kExactlyOrdered = 8;

/// Orders of n words at random, always the same: their mean says what no explanation at all
/// reaches.
std::vector<WordOrder> random_orders(std::size_t words);

}  // namespace headlight
