// One head of scaled dot-product attention: its inputs, the keys that a query sees, and the scores
// of a block of queries.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "encoder/disentangled_attention.h"
#include "encoder/dot_product_attention.h"
#include "encoder/dropout.h"
#include "math/matrix.h"
#include "math/products.h"
#include "model/description.h"

namespace headlight {

/// Queries whose scores are computed together.
inline constexpr std::size_t kQueryBlock = 32;

/// The inputs and outputs of one head.
struct Head {
  ConstMatrix query, key, value;  // [m, e], [n, e], [n, e]
  Panels packed;                  // the keys [e, n]; without data, `key` must be packed first
  float scale = 1.0F;
  std::span<const float> bias;  // [2r - 1] by distance, or empty
  RelativeHead relative;
  AttentionMask mask = AttentionMask::bidirectional;
  std::optional<std::size_t> window;
  std::size_t first_position = 0;  // position of the first query
  std::size_t number = 0;          // k
  AttentionDropout dropout;
  float* kept = nullptr;  // [m, n]
  Matrix out;             // [m, e]
};

/// Head k of a text.
Head head_of(const HeadsDescription& heads, std::size_t k, const TextAttention& text);

/// The keys [e, n] of a head, packed in `memory` if they are not packed.
Panels packed_keys(const Head& head, Buffer& memory);

/// Keys [first, last) of a text.
struct KeyRange {
  std::size_t first;
  std::size_t last;

  std::size_t count() const { return last - first; }
};

/// The keys, out of n, to which a query at `position` may attend; it may always attend to itself.
KeyRange visible_keys(const Head& head, std::size_t position, std::size_t n);

/// What is added to the scaled scores of `keys` for a query at `position`; empty: nothing.
std::span<const float> bias_of_keys(const Head& head, std::size_t position, KeyRange keys);

/// The keys, out of n, that any of `count` queries from `position` on may see, from the beginning
/// of a panel.
KeyRange block_keys(const Head& head, std::size_t position, std::size_t count, std::size_t n);

/// Scores [count, keys in `range`] of queries [first, first + count), not scaled. `keys` are all.
/// The rows of `scores` have memory for whole panels, as those of a Buffer do; what is behind the
/// last score is overwritten.
void score_block(const Head& head, std::size_t first, const Panels& keys, KeyRange range,
                 Matrix scores);

/// row ← exp of the scaled and biased scores of the keys that a query at `position` may see, out of
/// n; 0 for the others. Returns the sum. The row begins with the score of key `first`.
float exp_scores(const Head& head, std::size_t position, std::size_t first, std::size_t n,
                 std::span<float> row);

}  // namespace headlight
