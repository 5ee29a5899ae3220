// The backward pass of scaled dot-product attention (encoder/dot_product_attention.h). The weights
// A = softmax(Q Kᵀ · scale + bias + mask) are computed again:
//
//   dV = Aᵀ dO    dA = dO Vᵀ    dS = A · (dA - Σ A · dA)    dQ = dS K · scale    dK = dSᵀ Q · scale
//
// Queries are processed in blocks, so that memory grows with n and not with n².
#pragma once

#include <cstddef>

#include "encoder/dot_product_attention.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

/// The projected relative embeddings of a head, and their gradients; empty: there are none.
struct RelativeGradient {
  ConstMatrix keys;     // K [2s, e]
  ConstMatrix queries;  // Q [2s, e]
  Matrix of_keys;       // [2s, e]
  Matrix of_queries;    // [2s, e]
};

/// The gradients for a text; they are added to.
struct TextAttentionGradient {
  ConstMatrix out;            // [m, H]: of the outputs of the heads
  Matrix query;               // [m, H]
  Matrix key;                 // [n, H/g]
  Matrix value;               // [n, H/g]
  Matrix relative_bias = {};  // [h, 2r - 1] of this text; empty: there is none
  /// Of all heads: K and its gradient [2s, H/g], Q and its gradient [2s, H].
  RelativeGradient relative = {};
};

/// Adds the gradients of key head `key_head` of a text.
void add_head_gradient(const HeadsDescription& heads, std::size_t key_head,
                       const TextAttention& text, const TextAttentionGradient& gradient);

}  // namespace headlight
