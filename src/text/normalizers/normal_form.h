// The four normal forms of Unicode as the reference makes them: with the tables of Unicode 9.0.
// (Unicode Standard Annex 15)
#pragma once

#include <cstdint>

#include "text/normalizers/normalized_text.h"

namespace headlight {

enum class NormalForm : std::uint8_t { nfd, nfkd, nfc, nfkc };

/// Brings `text` into the form. Origins stay in rising order, so that a mark that changed places
/// has the origin of the place it went to, as in the reference.
void to_normal_form(NormalizedText& text, NormalForm form);

}  // namespace headlight
