// Reads the `normalizer` of a tokenizer.json. A Sequence adds its steps in order.
#pragma once

#include "text/files/json_components.h"
#include "text/normalizers/normalizer.h"

namespace headlight {

/// Adds the steps of `component`; null adds none. Throws Error that names the field.
void read_normalizer(const Component& component, Normalizer& normalizer);

}  // namespace headlight
