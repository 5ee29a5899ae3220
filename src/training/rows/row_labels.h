// Labels of a file that says which labels there are: their names, numbers and meaning.
#pragma once

#include <string>
#include <vector>

#include "metrics/gold.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// Whether rows with these labels have any number of them: at least one in a hundred spells two or
/// more, or most spell a list. A single list among other labels is a mistake.
bool are_lists(const std::vector<std::string>& labels);

/// Sorts label names: by value if all are integers, else by code point; removes duplicates.
void number_labels(std::vector<std::string>& names);

/// Reads labels as `headlight evaluate` does.
GoldReader reader_of(const LabelNames& labels);

/// What a row with this label teaches. Throws TextError for a label that is not among the names,
/// for a list where one label is needed, and for a value that is not a number.
RowTarget target_of(const std::string& spelled, const GoldReader& reader);

}  // namespace headlight
