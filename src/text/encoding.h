// The result of a tokenizer for a text or a pair: ids and type ids for the encoder, and tokens and
// offsets for display.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

using TokenId = std::uint32_t;
/// Of a part of a text that the model lacks, in what is only for display.
inline constexpr TokenId kNoToken = UINT32_MAX;

/// Half-open range of Unicode code points of the original text.
struct Offset {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const Offset&) const = default;
};

/// The text that a token comes from.
enum class Sequence : std::uint8_t { first, second, none };

/// Input of the encoder for n tokens. Both vectors have n elements.
struct TokenIds {
  std::vector<TokenId> ids;
  std::vector<TokenId> type_ids;
  std::size_t truncated = 0;  // tokens cut, of both texts of a pair together

  std::size_t size() const { return ids.size(); }
};

/// The same with data for display. These vectors also have n elements.
struct Encoding : TokenIds {
  std::vector<std::string> tokens;
  std::vector<Offset> offsets;      // [0,0] for an inserted token
  std::vector<Sequence> sequences;  // none for an inserted token
};

}  // namespace headlight
