// The `normalizer` of a tokenizer.json. A Sequence is its steps, one after another.
#pragma once

#include "text/files/json_components.h"
#include "text/normalizers/normalizer.h"

namespace headlight {

/// Adds the steps of `component`; null adds none. Throws Error naming the field.
void read_normalizer(const Component& component, Normalizer& normalizer);

}  // namespace headlight
