// Rows whose text is a part of the text of other rows, such as the phrases of a sentence beside the
// sentence. Held out, they would be known from training.
#pragma once

#include <vector>

#include "training/rows/labelled_rows.h"

namespace headlight {

/// What is read of the texts counts. Of rows with at least three words that are a part of others,
/// at word boundaries: those whose others are all held become held, those with another that is not
/// held do not. `held` has a value for each row. Rows with a pair of texts stay as they are.
void hold_parts_together(const std::vector<LabelledRow>& rows, std::vector<bool>& held);

}  // namespace headlight
