// A line of JSONL → a row.
#pragma once

#include <string>

#include "rows/json_line.h"
#include "rows/row.h"
#include "rows/row_reading.h"

namespace headlight {

/// Whether JsonLine reads it.
bool is_json_row(const std::string& line);

/// Whether the line has a field of the text, which may be null.
bool has_text_field(const JsonLine& line, const RowReading& reading);

/// Fills the id, the texts, the label and the kept fields of the row. Sets is_empty if the text is
/// missing: all its fields are absent or null. Throws TextError if a field is of another kind, or
/// one other than a text is missing.
void read_json_row(const JsonLine& line, const RowReading& reading, Row& row);

}  // namespace headlight
