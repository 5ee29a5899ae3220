// Weights as 8-bit integers: less to read and to multiply, at a small price in accuracy.
#pragma once

#include "model/model.h"

namespace headlight {

/// Quantizes the linear layers of the encoder (query, key, value and output of attention, both of
/// the feed-forward, the projection of the embedding) on all threads, and lets go of the file's
/// pages that they were read from. Everything else stays as it is: embeddings, norms, head,
/// classifier, label attention, heads that read a slice each. Not while the model is in use.
void quantize_weights(Model& model);

}  // namespace headlight
