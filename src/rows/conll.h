// Sentences of CoNLL files: a line for each word, with its tag in the last column, and a blank line
// behind each sentence.
#pragma once

#include <string>
#include <string_view>

#include "rows/row.h"

namespace headlight {

/// Whether the line belongs to no sentence: -DOCSTART-, or a comment such as "# id 7" before one.
bool is_beside_sentences(std::string_view line, bool begins_sentence);

/// Its words, with blanks between them, and the JSON of its tags, as the text and the label of
/// `row`. Throws TextError for a line that has one column.
void read_sentence(std::string_view lines, Row& row);

}  // namespace headlight
