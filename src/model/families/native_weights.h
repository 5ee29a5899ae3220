// The tensors of native models, under the names of the Weights.
#pragma once

#include "model/families/family.h"

namespace headlight {

/// Throws Error that names the tensor.
Weights read_native_weights(FamilyConfig& config, TensorSource& source);

}  // namespace headlight
