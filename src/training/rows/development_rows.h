// Holds out development rows.
#pragma once

#include <cstdint>
#include <vector>

#include "training/rows/labelled_rows.h"

namespace headlight {

/// Divides `texts` into rows.train and rows.dev, both in the order of the file. `share` of the
/// texts of each label is held out, chosen by the seed, rounded to whole rows but never all of
/// them. The first label counts for a row with several; rows of a regression are chosen from all.
/// Equal texts stay together. `rows.labels` must be set.
void hold_out(std::vector<LabelledText> texts, double share, std::uint64_t seed,
              LabelledTexts& rows);

}  // namespace headlight
