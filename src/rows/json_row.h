// A line of JSONL → a row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rows/json_line.h"
#include "rows/row.h"
#include "rows/row_reading.h"

namespace headlight {

/// Whether JsonLine reads it.
bool is_json_row(std::string_view line);

/// The fields of the text that rows should have; none if the row itself tells them (tagged).
std::vector<std::string> text_fields(const RowReading& reading);

/// Sets the id of a row whose line has a fault (JsonLine), if it can be read.
void read_id_beside_fault(const JsonLine& line, const RowFields& fields, Row& row);

/// Fills the id, the texts, the label and the kept fields of the row. Sets is_empty if the text is
/// missing: all its fields are absent or null. Throws TextError if a field is of another kind, or
/// one other than a text is missing.
void read_json_row(const JsonLine& line, const RowReading& reading, Row& row);

}  // namespace headlight
