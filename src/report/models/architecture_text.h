// The architecture of a model in words: what `inspect` says about heads, positions and norms.
#pragma once

#include "model/description.h"
#include "report/formats/plain_text.h"

namespace headlight {

/// Names and what to say: heads, feed-forward, norms, positions, windows. Norms and windows only if
/// they differ from a LayerNorm after each sublayer and from attention to all tokens.
Facts architecture_facts(const Description& model);

}  // namespace headlight
