// Handles tensors of a published file that the model does not use. Most belong to heads from
// training, but some would change the result.
#pragma once

#include "model/families/family.h"
#include "model/model.h"

namespace headlight {

/// Adds a remark about tensors that are known to be harmless and a warning about unknown ones.
/// Throws Error for an unused tensor inside a layer, for example an adapter.
void settle_leftovers(const FamilyConfig& config, Model& model);

}  // namespace headlight
