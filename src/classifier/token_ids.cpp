#include "classifier/token_ids.h"

#include <algorithm>

namespace headlight {

std::string token_name(const std::optional<Tokenizer>& tokenizer, TokenId id) {
  const auto token = tokenizer ? tokenizer->token(id) : std::nullopt;
  return token.value_or(std::to_string(id));
}

Encoding encode_typed(const TypedIds& typed, const std::optional<Tokenizer>& tokenizer,
                      std::optional<std::size_t> limit) {
  const std::size_t count = std::min(typed.ids.size(), limit.value_or(typed.ids.size()));
  Encoding encoding;
  for (std::size_t i = 0; i < count; ++i) {
    encoding.tokens.push_back(token_name(tokenizer, typed.ids[i]));
    encoding.ids.push_back(typed.ids[i]);
    encoding.type_ids.push_back(typed.type_ids[i]);
    encoding.offsets.push_back(typed.offsets[i]);
    encoding.sequences.push_back(Sequence::first);
  }
  encoding.truncated = typed.ids.size() - count;
  return encoding;
}

}  // namespace headlight
