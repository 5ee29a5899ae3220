// How long the vector is that a token hands to those who attend to it (Kobayashi et al. 2020,
// "Attention is Not Only a Weight: Analyzing Transformers with Vector Norms", §3).
#pragma once

#include <optional>
#include <span>

#include "math/linear.h"
#include "model/description.h"

namespace headlight {

/// value [n, H], biases added → norms [h, n]: ‖f(x_j)‖ of each head and token, f being the head's
/// value through its columns of the output projection [d, H], without that one's bias; without
/// `output` the value itself. Sums in float64, over the weights as they are stored.
void value_norms(const HeadsDescription& heads, const std::optional<Linear>& output,
                 ConstMatrix value, std::span<float> norms);

}  // namespace headlight
