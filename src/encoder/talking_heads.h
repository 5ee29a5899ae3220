// Attention whose heads are mixed (Shazeer et al. 2020, "Talking-Heads Attention"). S_k and A_k are
// the scores and weights of head k:
//
//   A'_k = softmax(Σ_l P[k, l] S_l · scale_l + mask)
//   A_k  = Σ_l W[k, l] A'_l
//   out  = A_k V_k
#pragma once

#include <span>

#include "encoder/dot_product_attention.h"
#include "model/description.h"

namespace headlight {

/// As attend(), for texts with HeadMixing. Rows of A need not sum to 1. Threads share texts.
void attend_talking(const HeadsDescription& heads, std::span<const TextAttention> texts);

}  // namespace headlight
