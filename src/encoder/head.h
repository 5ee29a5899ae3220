// From a vector a text to its logits: an optional dense with its activation, then the classifier.
#pragma once

#include "encoder/scratch.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// z [t, d] → logits [t, c]. The model must have a classification head.
void apply_head(const Description& model, const Weights& weights, Scratch& scratch, ConstMatrix z,
                Matrix logits);

}  // namespace headlight
