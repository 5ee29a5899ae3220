// A line of JSONL → a row.
#pragma once

#include <string>

#include "rows/json_line.h"
#include "rows/row.h"
#include "rows/row_reading.h"

namespace headlight {

/// Whether JsonLine reads it.
bool is_json_row(const std::string& line);

/// Fills the id, the texts, the label and the kept fields of the row. Throws TextError if a field
/// is missing or of another kind.
void read_json_row(const JsonLine& line, const RowReading& reading, Row& row);

}  // namespace headlight
