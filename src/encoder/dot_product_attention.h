// Scaled dot-product attention in several heads (Vaswani et al. 2017, §3.2): of head k with size e,
//
//   A = softmax(Q Kᵀ · scale + bias + mask)   [m, n]
//   out = A V                                 [m, e]
#pragma once

#include <span>

#include "encoder/key_value_cache.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

/// Query rows that look at key rows: of a text at itself, or of label queries at a text.
struct TextAttention {
  ConstMatrix query;  // [m, H]
  ConstMatrix key;    // [n, H]
  ConstMatrix value;  // [n, H]
  /// Where the keys and values of a text lie that comes in several passes: instead of `key` and
  /// `value`. nullptr: nowhere.
  const KeyValueCache* cache = nullptr;
  std::size_t first_position = 0;  // of the first query row among the keys
  ConstMatrix relative_bias = {};  // [h, 2r - 1], r ≥ n: column r - 1 + j - i; empty: none
  std::span<float> kept = {};      // where to keep A, [h, m, n]; empty: nowhere
  Matrix out;                      // [m, H]: the heads' outputs side by side
};

/// Each text's attention, head by head; whether A is kept changes no bit of out. Queries are taken
/// in blocks, so that memory grows with n and not with n². Threads that have nothing to do help.
void attend(const HeadsDescription& heads, std::span<const TextAttention> texts);

}  // namespace headlight
