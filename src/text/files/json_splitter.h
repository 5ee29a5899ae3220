// The `pre_tokenizer` of a tokenizer.json. A Sequence is its steps, one after another.
#pragma once

#include "text/files/json_components.h"
#include "text/splitters/splitter.h"

namespace headlight {

/// Adds the steps of `component`; null adds none. Throws Error naming the field.
void read_splitter(const Component& component, Splitter& splitter);

}  // namespace headlight
