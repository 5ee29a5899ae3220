// The pipeline of DeBERTa's tokenizer where a folder has its vocabulary but no tokenizer.json.
#pragma once

#include "base/json_fwd.h"

namespace headlight {

/// Its components as in a tokenizer.json, as the reference builds them (release 5): two separators
/// between the texts of a pair, and no segments. `cls` and `sep` are `["[SEP]", 2]`.
Json deberta_pipeline(const Json& cls, const Json& sep, bool is_prefixed);

}  // namespace headlight
