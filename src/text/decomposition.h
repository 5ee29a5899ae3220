// Canonical decomposition (NFD) as the reference does it: with the tables of Unicode 9.0.
#pragma once

#include "text/normalized_text.h"

namespace headlight {

/// Decomposes `text` and puts its marks in canonical order. Origins stay in rising order, so that
/// a mark that changed places has the origin of the place it went to, as in the reference.
void decompose(NormalizedText& text);

}  // namespace headlight
