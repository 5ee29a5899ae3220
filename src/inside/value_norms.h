// The norm of the transformed value vector that a token passes to the tokens that attend to it
// (Kobayashi et al. 2020, "Attention is Not Only a Weight: Analyzing Transformers with Vector
// Norms", §3).
#pragma once

#include <vector>

#include "encoder/trace.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// One matrix [h, n] per layer: ‖f(x_j)‖ of each head and token. f is the head's value vector
/// multiplied by its columns of the output projection [d, H], without the projection's bias;
/// without an output projection it is the value vector itself. The trace must contain the values.
/// Sums are float64, over the stored weights.
std::vector<std::vector<float>> value_norms(const Description& model, const Weights& weights,
                                            const TextTrace& trace);

}  // namespace headlight
