// What is wrong or suspicious about labelled rows, found before any time is spent on training.
#pragma once

#include <string>
#include <vector>

#include "training/rows/labelled_rows.h"
#include "training/rows/training_data.h"

namespace headlight {

/// Throws Error if there are no rows.
void refuse_no_rows(const SpelledRows& file, const std::vector<LabelledRow>& rows,
                    const std::string& what);

/// Throws Error if nothing can be learned from rows: a single label, a label for each row, or equal
/// values.
void refuse_unlearnable(const std::string& file, const std::vector<LabelledRow>& rows,
                        const LabelSet& labels);

/// Labels that only one row has, and equal texts (LabelledRow::key) with different labels; one line
/// each.
std::vector<std::string> suspicions(const std::vector<LabelledRow>& rows, const LabelSet& labels);

/// A line about development rows whose texts are also training rows; empty if there are none.
std::string repeated_rows(const LabelledRows& rows);

}  // namespace headlight
