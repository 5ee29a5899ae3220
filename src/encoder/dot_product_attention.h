// Scaled dot-product attention in several heads (Vaswani et al. 2017, §3.2). For a head of size e:
//
//   A = softmax(Q Kᵀ · scale + bias + mask)   [m, n]
//   out = A V                                 [m, e]
#pragma once

#include <cstddef>
#include <span>

#include "encoder/disentangled_attention.h"
#include "encoder/dropout.h"
#include "encoder/key_value_cache.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

/// Query rows that attend to key rows: a text to itself, or label queries to a text.
struct TextAttention {
  std::size_t text = 0;  // number in the batch
  ConstMatrix query;     // [m, H]
  ConstMatrix key;       // [n, H/g]
  ConstMatrix value;     // [n, H/g]
  /// The keys and values of a text that is computed in several passes; used instead of `key` and
  /// `value`. nullptr: none.
  const KeyValueCache* cache = nullptr;
  std::size_t first_position = 0;  // position of the first query row among the keys
  ConstMatrix relative_bias = {};  // [h, 2r - 1], r ≥ n: column r - 1 + j - i; empty: none
  RelativeScores relative_scores = {};
  AttentionDropout dropout = {};
  std::span<float> kept = {};  // receives A, [h, m, n]; empty: A is not kept
  Matrix out;                  // [m, H]: the outputs of the heads, concatenated
};

/// Computes the attention of each text, head by head. Keeping A does not change `out`, bit for bit.
/// Queries are processed in blocks, so that memory grows with n and not with n². Idle threads help.
void attend(const HeadsDescription& heads, std::span<const TextAttention> texts);

}  // namespace headlight
