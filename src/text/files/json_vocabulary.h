// Reads tokens and their ids from a tokenizer.json or a vocab.json.
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "text/models/vocabulary.h"

namespace headlight {

/// Reads an object from tokens to ids, with at least one token. `path` is its place in the file.
/// Throws Error.
Vocabulary read_token_ids(const Json& object, const std::string& where, const std::string& path);

}  // namespace headlight
