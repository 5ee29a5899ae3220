// `headlight fit` without --train: tries the ways that the rows and the time allow, on the same
// development rows, and keeps the best.
#pragma once

#include <vector>

#include "training/settings.h"
#include "training/ways/way.h"

namespace headlight {

/// What is tried follows from counts (ways/cost.h) and `minutes` of the reference machine, never
/// from the clock. From the fastest model on, another one replaces the best so far if its mean loss
/// is lower by more than the standard error of the difference (the rule of Breiman et al. 1984,
/// "Classification and Regression Trees", §3.4.3). Of few rows of a label (TrainingSize::is_few),
/// whose losses say little, the first is what is mostly best for so many rows of a label.
///
/// Few rows are not held out: each way is run without each of some folds, which its model scores,
/// and the best is then run on all rows. Rows whose label no other row has are not scored. Where
/// too few rows are scored to compare ways, the number of rows of a label chooses one.
///
/// A way that the rows do not allow (TrainingError) is left out, unless none can be gone.
///
/// Where the start knows too few of the tokens (is_unreadable()), only those are tried that learn
/// the words of the rows.
Way automatic_way(const std::vector<Way>& ways, double minutes);
/// It, then ways_of(settings), of which it chooses.
std::vector<Way> all_ways(const AllSettings& settings, double minutes);

}  // namespace headlight
