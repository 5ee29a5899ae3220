// What a file has as the labels of a row → a name, or a JSON array of names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "rows/row.h"
#include "rows/row_reading.h"

namespace headlight {

/// Whether a value of JSON is 0 or 1: also as a number of float64, true or false, or their text.
bool is_flag(const Json& value);

/// The JSON of an object: the text of each of these columns by its name. Empty if none has any.
std::optional<std::string> label_of_columns(const std::vector<std::string>& names,
                                            const std::vector<std::optional<std::string>>& cells);

/// Reads objects of categories (those above 0.5), lists as Python and NumPy print them, and what
/// `shape` says. A name stays as it is, and so does a JSON array of names. Throws TextError for
/// what is none of these.
void shape_label(const LabelShape& shape, Row& row);

/// Gives a list of numbers, tags of words, these names. Throws TextError for a number without one.
void name_tags(const std::vector<std::string>& names, Row& row);

}  // namespace headlight
