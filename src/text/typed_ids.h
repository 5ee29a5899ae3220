// Token ids typed instead of text: "101 2023 102" or "101,2023,102".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// Of n tokens; each vector has n elements.
struct TypedIds {
  std::vector<TokenId> ids;
  std::vector<TokenId> type_ids;
  std::vector<Offset> offsets;  // of the numbers in the text they were typed in
};

/// The ids in `text`, special tokens included. There must be as many `type_ids` (empty: all 0).
/// Throws TextError.
TypedIds parse_typed_ids(std::string_view text, const std::optional<std::string>& type_ids);

}  // namespace headlight
