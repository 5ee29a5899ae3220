// The backward pass of attention whose heads are mixed (encoder/talking_heads.h).
#pragma once

#include "encoder/dot_product_attention.h"
#include "gradient/heads_gradient.h"
#include "model/description.h"

namespace headlight {

/// Adds the gradients of all heads of a text.
void add_talking_gradient(const HeadsDescription& heads, const TextAttention& text,
                          const TextAttentionGradient& gradient);

}  // namespace headlight
