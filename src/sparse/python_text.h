// Texts as Python has them: str.lower(), NFKD without accents, and the characters that `\w` and
// `\s` of its `re` match. The tables are those of utf8proc (2.8: Unicode 15.0).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/unicode/character_classes.h"

namespace headlight {

/// keep: all of them. ascii: what has no ASCII after NFKD is removed. unicode: what combines is
/// removed after NFKD.
enum class Accents : std::uint8_t { keep, ascii, unicode };

/// Bytes that can be read behind each term.
inline constexpr std::size_t kTermPadding = 16;

bool is_other_python_word(char32_t c);  // not ASCII
inline constexpr std::array<bool, 128> kIsAsciiWord = [] {
  std::array<bool, 128> is_word{};
  for (char32_t c = 0; c < 128; ++c) is_word[c] = is_ascii_letter_or_digit(c) || c == U'_';
  return is_word;
}();
inline bool is_python_word(char32_t c) {
  return is_ascii(c) ? kIsAsciiWord[c] : is_other_python_word(c);
}
bool is_python_space(char32_t c);

/// A text of n characters. The memory is used again for the next one.
struct PythonText {
  std::string padded;                  // UTF-8 and kTermPadding zeros
  std::u32string characters;           // [n]
  std::vector<std::uint32_t> starts;   // [n + 1] in bytes, or longer
  std::vector<std::uint32_t> origins;  // [n] the code point of the text that was given, or longer

  std::size_t size() const { return characters.size(); }
  std::string_view bytes() const { return view(0, size()); }
  std::string_view view(std::size_t begin, std::size_t end) const {
    return {padded.data() + starts[begin], starts[end] - starts[begin]};
  }
  /// Throws TextError for invalid UTF-8.
  void read(std::string_view text, bool lowercase, Accents accents);
  /// `\s\s+` becomes one space.
  void join_spaces();

 private:
  void lower();
  void strip(Accents accents);
  void encode();
  void read_ascii(std::string_view text, bool lowercase);

  std::size_t counting_ = 0;  // so many starts and origins are 0, 1, 2, …
};

}  // namespace headlight
