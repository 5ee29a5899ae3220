// Added tokens in a tokenizer.json and the files next to it.
#pragma once

#include <vector>

#include "base/fields.h"
#include "text/files/json_components.h"
#include "text/models/word_model.h"
#include "text/pipeline/added_tokens.h"

namespace headlight {

/// Throws Error that names the field.
AddedToken read_added_token(const Component& component);
/// The list `added_tokens`, without ids. If two have the same content, the first counts. Throws
/// Error.
std::vector<AddedToken> read_added_tokens(Fields& file);
/// Sets the ids to those of the model, or to new ones. Ids in the file are ignored.
void number_added_tokens(std::vector<AddedToken>& tokens, const WordModel& model);

}  // namespace headlight
