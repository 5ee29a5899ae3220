// Names that look alike: what the eye does not tell apart.
#pragma once

#include <string>

namespace headlight {

/// The characters of `text` in NFC, without invisible ones, and with each white space as a blank.
std::u32string seen_characters(const std::string& text);

/// `text` with escapes such as \u00a0 for what the eye does not see: invisible characters, white
/// space other than a blank, and characters that NFC would compose.
std::string with_escapes(const std::string& text);

}  // namespace headlight
