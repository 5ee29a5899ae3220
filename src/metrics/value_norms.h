// How long the vector is that a token hands to those who attend to it (Kobayashi et al. 2020,
// "Attention is Not Only a Weight: Analyzing Transformers with Vector Norms", §3).
#pragma once

#include <vector>

#include "encoder/trace.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// Of a text of n tokens, whose trace has the values: a layer each, [h, n], ‖f(x_j)‖ of each head
/// and token, f being the head's value through its columns of the output projection [d, H], without
/// that one's bias; without output projection the value itself. Sums in float64, over the weights
/// as they are stored.
std::vector<std::vector<float>> value_norms(const Description& model, const Weights& weights,
                                            const TextTrace& trace);

}  // namespace headlight
