// Token ids typed instead of text: "101 2023 102" or "101,2023,102".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/encoding.h"
#include "text/tokenizer.h"

namespace headlight {

/// The ids in `text`, cut to `limit`. Offsets are those of the numbers in `text`; tokens are the
/// vocabulary's where there is one. `type_ids` (nothing: all 0) must be as many. Throws TextError.
Encoding read_token_ids(std::string_view text, const std::optional<std::string>& type_ids,
                        const std::optional<Tokenizer>& tokenizer,
                        std::optional<std::size_t> limit);

/// The vocabulary's token, or the number itself where there is none.
std::string token_name(const std::optional<Tokenizer>& tokenizer, TokenId id);

}  // namespace headlight
