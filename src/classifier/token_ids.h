// What is shown of token ids that were typed instead of text.
#pragma once

#include <optional>
#include <string>

#include "text/encoding.h"
#include "text/tokenizer.h"
#include "text/typed_ids.h"

namespace headlight {

/// The first `limit` ids (empty: all) with their tokens.
Encoding encode_typed(const TypedIds& typed, const std::optional<Tokenizer>& tokenizer,
                      std::optional<std::size_t> limit);

/// The vocabulary's token, or the number itself where there is none.
std::string token_name(const std::optional<Tokenizer>& tokenizer, TokenId id);

}  // namespace headlight
