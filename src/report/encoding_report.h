// Tokens, ids and offsets as JSON fields and as a table for people.
#pragma once

#include <string>

#include "report/json_writer.h"
#include "text/encoding.h"

namespace headlight {

/// "tokens", "ids", "type_ids", "offsets", "sequence"
void write_encoding(JsonWriter& json, const Encoding& encoding);

/// A line a token: the token, its id, its range of code points.
std::string encoding_table(const Encoding& encoding);

}  // namespace headlight
