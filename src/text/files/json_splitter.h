// Reads the `pre_tokenizer` of a tokenizer.json. A Sequence adds its steps in order.
#pragma once

#include "text/files/json_components.h"
#include "text/splitters/splitter.h"

namespace headlight {

/// Adds the steps of `component`; null adds none. Throws Error that names the field.
void read_splitter(const Component& component, Splitter& splitter);

}  // namespace headlight
