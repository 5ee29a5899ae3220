// The backward pass of attention (encoder/attention.h): of its projections, and of the heads.
#pragma once

#include <cstddef>
#include <span>

#include "encoder/attention.h"
#include "gradient/backward_pass.h"

namespace headlight {

/// dy [m, d], the gradient of the output of the attention of layer `index` → that of its input,
/// dx [n, d].
void attention_gradient(const BackwardPass& pass, std::size_t index, ConstMatrix dy, Matrix dx);

/// dz [t · c, d], the gradient of the output of label attention → that of the tokens, dx [n, d].
void label_attention_gradient(const BackwardPass& pass, ConstMatrix dz, Matrix dx);

}  // namespace headlight
