// Tokens and their ids, as a tokenizer.json and a vocab.json write them.
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "text/models/vocabulary.h"

namespace headlight {

/// An object of tokens and their ids, with at least one; `path` is where in the file it stands.
/// Throws Error.
Vocabulary read_token_ids(const Json& object, const std::string& where, const std::string& path);

}  // namespace headlight
