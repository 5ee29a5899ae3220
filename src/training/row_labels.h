// Labels of a file that says which labels there are: their names, numbers and meaning.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "training/labelled_rows.h"

namespace headlight {

/// Whether the label of a row spells several: a JSON array, or a bar between them.
bool spells_several(std::string_view spelled);

/// The names in the label of a row with any number of labels. Throws TextError.
std::vector<std::string> spelled_labels(const std::string& spelled);

/// Sorts label names: by value if all are integers, else by code point; removes duplicates.
void number_labels(std::vector<std::string>& names);

/// What a row with this label teaches. Throws TextError for a label that is not in `labels`, for no
/// label where one is needed, and for a value that is not a number.
RowTarget target_of(const std::string& spelled, const LabelNames& labels);

}  // namespace headlight
