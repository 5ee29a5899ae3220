// The backward pass of the projections of attention: of the output, and of queries, keys and values
// (encoder/attention.h).
#pragma once

#include <optional>
#include <span>

#include "gradient/backward_pass.h"
#include "model/description.h"

namespace headlight {

/// The gradient of the context, from that of the output; adds those of the output's projection.
ConstMatrix context_gradient(const BackwardPass& pass, const std::optional<Linear>& output,
                             ConstMatrix context, ConstMatrix dy);

/// Several projections of x, of which dx becomes the gradient. Adds those of their weights.
void projections_gradient(const BackwardPass& pass, const HeadsDescription& heads,
                          std::span<const LinearGradient> projections, ConstMatrix x, Matrix dx);

}  // namespace headlight
