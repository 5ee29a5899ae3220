// From ids to logits: the whole forward pass. START HERE in this room.
#pragma once

#include "encoder/batch.h"
#include "encoder/scratch.h"
#include "encoder/trace.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// Logits [t, c] of the batch's texts, valid until `scratch` is used again; c is 0 for a model
/// without a classification head. `trace` may be nullptr; the parts it wants are filled, a
/// TextTrace a text.
ConstMatrix forward(const Description& model, const Weights& weights, const Batch& batch,
                    Scratch& scratch, Trace* trace = nullptr);

}  // namespace headlight
