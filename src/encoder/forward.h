// From ids to logits: the whole forward pass. START HERE in this room.
#pragma once

#include "encoder/pass.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// Logits [t, c] of the batch's texts, or [n, c] of its tokens with Pooling::each_token, valid
/// until pass.scratch is used again; c is 0 for a model without a classification head.
ConstMatrix forward(const Description& model, const Weights& weights, Pass pass);

}  // namespace headlight
