// The smallest set of words whose removal changes the verdict (Martens and Provost 2014,
// "Explaining Data-Driven Document Classifications", §4). Sets of one word, of two, … are all tried
// while they are few; then a beam search extends the best ones.
#pragma once

#include <cstddef>
#include <optional>

#include "inside/explanation.h"

namespace headlight {

/// Each set of words that is left out is one text to score.
struct FlipLimits {
  /// All sets of a size are tried if they are at most this many, together with those of smaller
  /// sizes. Single words are always tried.
  std::size_t tried = 5000;
  std::size_t searched = 5000;  // after that
};

/// False for a regression, for one label, and for several labels a text without probabilities,
/// which are all given.
bool can_flip(const LabelSet& labels);

/// The most texts that find_flip() scores for this number of words that are read.
std::size_t flip_texts(std::size_t words, const FlipLimits& limits = {});

/// `whole` is the prediction for the words, joined by one blank. The verdict is its best label or,
/// with several labels a text, the set of labels that reach their thresholds. Only words that are
/// read are left out, which lets words behind the cut in. Among sets of one size, the largest
/// margin wins: the highest other logit less that of the old label or, with several labels a text,
/// the log odds beyond the threshold; then the first in the text. From a set that was searched, no
/// single word can be put back, unless the search reached its limit. A text that cannot be scored
/// without some words does not flip without them. Empty if it was stopped. Throws TextError if the
/// text cannot be read.
std::optional<Flip> find_flip(const TextClassifier& classifier, const TextInput& input,
                              const Prediction& whole, const ExplanationWatch& watch,
                              const FlipLimits& limits = {});

}  // namespace headlight
