// Rows whose texts say nearly the same: one of them would be known from another, so that they are
// held out together.
#pragma once

#include <cstddef>
#include <vector>

#include "training/rows/labelled_rows.h"

namespace headlight {

/// More rows are not compared by their words.
inline constexpr std::size_t kMostSimilarRows = 50'000;

/// Sets LabelledRow::group of rows with different keys whose texts are linked: by the same words,
/// whatever their case and punctuation; where all words of one, at least three, are a part of the
/// other; or by rare words that weigh at least 0.6 of those of both. A word weighs the logarithm of
/// the number of texts for each with the word: what all texts share weighs nothing, so that texts
/// of one pattern are not similar. Only what is read of the texts counts. Pairs of texts are not
/// searched for parts.
void group_similar_texts(std::vector<LabelledRow>& rows);

}  // namespace headlight
