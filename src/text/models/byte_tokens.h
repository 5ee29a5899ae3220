// Byte fallback: the tokens "<0x00>" to "<0xFF>" encode the bytes of text that is not in the
// vocabulary.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "text/models/vocabulary.h"

namespace headlight {

class ByteTokens {
 public:
  explicit ByteTokens(const Vocabulary& vocabulary);

  /// One token per byte, or nullopt if one of them is not in the vocabulary.
  std::optional<std::vector<TokenId>> find(std::string_view bytes) const;

 private:
  std::array<std::optional<TokenId>, 256> ids_;
};

}  // namespace headlight
