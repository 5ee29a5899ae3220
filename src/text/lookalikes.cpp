#include "text/lookalikes.h"

#include <array>
#include <cstdio>

#include "base/utf8.h"
#include "text/normalizers/normal_form.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

std::u32string composed(const std::u32string& characters) {
  NormalizedText text(characters, 0);
  to_normal_form(text, NormalForm::nfc);
  return text.characters;
}

/// Format characters and variation selectors.
bool is_invisible(char32_t c) {
  const bool is_private = (c >= 0xE000 && c < 0xF900) || c >= 0xF0000 || c == 0xFFFD;
  return (c >= 0xFE00 && c <= 0xFE0F) || (!is_ascii(c) && !is_private && is_unclean(c));
}

}  // namespace

std::u32string seen_characters(const std::string& text) {
  std::u32string seen;
  for (const char32_t c : composed(to_code_points(text))) {
    if (!is_invisible(c)) seen += is_white_space(c) ? U' ' : c;
  }
  return seen;
}

std::string with_escapes(const std::string& text) {
  const std::u32string characters = to_code_points(text);
  const std::u32string plain = composed(characters);
  std::string shown;
  for (const char32_t c : characters) {
    const bool is_seen = plain.find(c) != std::u32string::npos && !is_white_space(c);
    if (is_ascii(c) || (is_seen && !is_invisible(c))) {
      append_utf8(shown, c);
      continue;
    }
    std::array<char, 12> escape{};
    std::snprintf(escape.data(), escape.size(), c < 0x10000 ? "\\u%04x" : "\\U%08x",
                  static_cast<unsigned>(c));
    shown += escape.data();
  }
  return shown;
}

}  // namespace headlight
