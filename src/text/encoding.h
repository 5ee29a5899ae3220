// What a tokenizer makes of a text or a pair: what the encoder reads (ids, type ids) and what
// people are shown besides (tokens, offsets).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

using TokenId = std::uint32_t;

/// Half-open range of Unicode code points of a text as it was given.
struct Offset {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const Offset&) const = default;
};

/// Which text a token came from.
enum class Sequence : std::uint8_t { first, second, none };

/// What the encoder reads of n tokens; the two vectors have n elements each.
struct TokenIds {
  std::vector<TokenId> ids;
  std::vector<TokenId> type_ids;
  std::size_t truncated = 0;  // tokens cut, of both texts of a pair together

  std::size_t size() const { return ids.size(); }
};

/// And what people are shown of them; these vectors have n elements too.
struct Encoding : TokenIds {
  std::vector<std::string> tokens;
  std::vector<Offset> offsets;      // [0,0] for a token that was put in
  std::vector<Sequence> sequences;  // none for a token that was put in
};

}  // namespace headlight
