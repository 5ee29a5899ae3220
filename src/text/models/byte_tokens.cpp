#include "text/models/byte_tokens.h"

#include <string>

namespace headlight {

ByteTokens::ByteTokens(const Vocabulary& vocabulary) {
  const std::string digits = "0123456789ABCDEF";
  for (std::size_t byte = 0; byte < ids_.size(); ++byte) {
    ids_[byte] = vocabulary.id(std::string("<0x") + digits[byte / 16] + digits[byte % 16] + ">");
  }
}

std::optional<std::vector<TokenId>> ByteTokens::find(std::string_view bytes) const {
  std::vector<TokenId> tokens;
  for (const char byte : bytes) {
    const std::optional<TokenId> id = ids_[static_cast<unsigned char>(byte)];
    if (!id) return std::nullopt;
    tokens.push_back(*id);
  }
  return tokens;
}

}  // namespace headlight
