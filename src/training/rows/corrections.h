// Labels that a person gave in a file of `headlight check`: each row of it names the row that it is
// of, and by their hash the rows that were checked.
#pragma once

#include <map>
#include <string>

#include "training/rows/training_data.h"

namespace headlight {

/// The field of a checked file that says which row it is of.
inline constexpr const char* kCheckedField = "checked";
/// What it says: "row 7 of 60 rows, xxh3 …", the mark_of_rows() that were checked.
std::string checked_row(std::size_t row, const std::string& mark);

/// By the number of its row, the label as it is spelled.
using Corrections = std::map<std::size_t, std::string>;

/// `checked` has kCheckedField as its text. Rows without a label correct nothing. Throws Error if
/// other rows than those with this mark, in `file`, were checked.
Corrections read_corrections(RowReader& checked, const std::string& mark, const std::string& file);
/// Returns how many labels it changed.
std::size_t correct_labels(const Corrections& corrections, SpelledRows& rows);

}  // namespace headlight
