// Decoders with rotary positions, gated feed-forwards and heads that share keys, without biases.
#pragma once

#include <cstddef>

#include "base/fields.h"
#include "model/families/family.h"

namespace headlight {

/// Completes what read_published_config() has read. `key_heads`: those of a config that does not
/// say how many heads have keys; null means all.
void make_gated_decoder(Fields& fields, std::size_t key_heads, FamilyConfig& config);

}  // namespace headlight
