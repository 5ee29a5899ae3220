// Texts that say almost the same and have different labels.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "math/matrix.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// Time grows with the square of the rows: about 20 seconds on two threads for so many.
inline constexpr std::size_t kMostComparedRows = 50'000;

/// [n] Of each row the nearest near-duplicate with other labels, the first of equally near ones.
/// Near-duplicates share at least half of their different tokens, and their vectors, less the mean
/// of all, have a cosine of at least 0.95: pairs above both, in questions to a bank and in TREC,
/// mean the same to a reader. Vectors of a model that was trained on labels are alike for all texts
/// of a label; hence the tokens. Of texts that the model cannot read (is_unreadable()), only equal
/// ones count. Nothing is found among more than kMostComparedRows. `stopped` gets
/// the share of the work now and then; after true the result is not complete.
std::vector<std::optional<std::size_t>> contradicting_rows(
    ConstMatrix vectors, const std::vector<LabelledRow>& rows,
    const std::function<bool(double done)>& stopped);

}  // namespace headlight
