// Added tokens, as a tokenizer.json and the files beside it write them.
#pragma once

#include <vector>

#include "base/fields.h"
#include "text/files/json_components.h"
#include "text/models/vocabulary.h"
#include "text/pipeline/added_tokens.h"

namespace headlight {

/// Throws Error naming the field.
AddedToken read_added_token(const Component& component);
/// The list `added_tokens`, without ids. Of two with one content the first is taken. Throws Error.
std::vector<AddedToken> read_added_tokens(Fields& file);
/// Ids are the model's or new ones, whatever a file says.
void number_added_tokens(std::vector<AddedToken>& tokens, const Vocabulary& vocabulary);

}  // namespace headlight
