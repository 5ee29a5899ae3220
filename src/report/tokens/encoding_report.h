// Tokens, ids and offsets as JSON fields, as table cells, and as text.
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
/// The same for words, which have no ids: "tokens", "offsets", "sequence"
void write_words(JsonWriter& json, const std::vector<TokenWord>& words);

/// The same as a table row: one column per field and one for the error; each field's cell is JSON.
std::vector<std::string> encoding_columns();
std::vector<Cell> encoding_cells(const Encoding& encoding, const std::string& error);

/// One line per token: the token, its id, its range of code points.
std::string encoding_table(const Encoding& encoding);

}  // namespace headlight
