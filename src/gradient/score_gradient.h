// From the gradients of attention scores to those of queries and keys, and of the relative
// embeddings of disentangled attention (encoder/disentangled_attention.h).
#pragma once

#include <cstddef>
#include <span>

#include "encoder/attention_head.h"
#include "math/matrix.h"

namespace headlight {

/// The projected relative embeddings of a head, and their gradients; empty: there are none.
struct RelativeGradient {
  ConstMatrix keys;     // K [2s, e]
  ConstMatrix queries;  // Q [2s, e]
  Matrix of_keys;       // [2s, e]
  Matrix of_queries;    // [2s, e]
};

/// The gradients of one head; they are added to.
struct HeadGradient {
  ConstMatrix out;        // [m, e]
  Matrix query;           // [m, e]
  Matrix key, value;      // [n, e]
  std::span<float> bias;  // [2r - 1] by distance, or empty
  RelativeGradient relative = {};
};

/// A block of scores: queries from `first` on, the keys in `range`.
struct ScoresGradient {
  std::size_t first;
  KeyRange range;
  Matrix scores;  // [count, keys]: the gradients of the scaled scores; they are overwritten
};

/// Adds the gradients of the head's queries, keys, bias and relative embeddings.
void add_score_gradient(const Head& head, const ScoresGradient& block,
                        const HeadGradient& gradient);

/// sum += xᵀ · y
void add_transposed_product(ConstMatrix x, ConstMatrix y, Matrix sum);

/// A [count, keys] of the block: the softmax of its scores, before dropout.
void softmax_block(const Head& head, const Panels& keys, std::size_t first, KeyRange range,
                   Matrix weights);

}  // namespace headlight
