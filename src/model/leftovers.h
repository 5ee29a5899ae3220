// Tensors of a published file that nobody asked for. Most are of heads that the file was trained
// with; some would change the result.
#pragma once

#include "model/families/family.h"
#include "model/model.h"

namespace headlight {

/// Tensors known to be harmless become one of the model's remarks, unknown ones one of its
/// warnings. Throws Error for one inside a layer that is used: an adapter, say, that was to be
/// applied.
void settle_leftovers(const FamilyConfig& config, Model& model);

}  // namespace headlight
