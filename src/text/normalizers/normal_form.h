// The four Unicode normalization forms (Unicode Standard Annex 15), with the tables of Unicode 9.0
// as in the reference.
#pragma once

#include <cstdint>

#include "text/normalizers/normalized_text.h"

namespace headlight {

enum class NormalForm : std::uint8_t { nfd, nfkd, nfc, nfkc };

/// Converts `text` to the form. Origins stay in rising order: a mark that moves gets the origin of
/// its new place, as in the reference.
void to_normal_form(NormalizedText& text, NormalForm form);

}  // namespace headlight
