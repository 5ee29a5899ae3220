// Which configs make models that are small enough to try thousands of them.
#pragma once

#include "base/json.h"

namespace headlight::fuzz {

/// Whether the numbers of a config are small.
bool is_small(const Json& json);

/// Whether a config without large numbers describes a large model: where it lacks sizes, it has
/// those of the published model of its family.
bool describes_large_model(const Json& json);

}  // namespace headlight::fuzz
