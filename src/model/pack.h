// Weights made ready for many texts.
#pragma once

#include "model/model.h"

namespace headlight {

/// Packs the weights of the model's linear layers, but quantized ones, once for all products to
/// come, on all threads, and lets go of the file's pages that they were read from. No bit of any
/// result changes. Not while the model is in use.
void pack_weights(Model& model);

}  // namespace headlight
