// Tokens, ids and offsets as JSON fields, as cells, and as a table for people.
#pragma once

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "rows/delimited.h"
#include "text/encoding.h"
#include "text/token_words.h"

namespace headlight {

/// "tokens", "ids", "type_ids", "offsets", "sequence"
void write_encoding(JsonWriter& json, const Encoding& encoding);
/// The same of words, which have no ids: "tokens", "offsets", "sequence"
void write_words(JsonWriter& json, const std::vector<TokenWord>& words);

/// The same in a line of a table: a column a field and one for the error, each cell as JSON.
std::vector<std::string> encoding_columns();
std::vector<Cell> encoding_cells(const Encoding& encoding, const std::string& error);

/// A line a token: the token, its id, its range of code points.
std::string encoding_table(const Encoding& encoding);

}  // namespace headlight
