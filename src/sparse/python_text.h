// Texts as Python has them: str.lower(), NFKD without accents, and the characters that `\w` and
// `\s` of its `re` match. The tables are those of utf8proc (2.8: Unicode 15.0).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// keep: all of them. ascii: what has no ASCII after NFKD is removed. unicode: what combines is
/// removed after NFKD.
enum class Accents : std::uint8_t { keep, ascii, unicode };

bool is_python_word(char32_t c);
bool is_python_space(char32_t c);

/// A text of n characters. The memory is used again for the next one.
struct PythonText {
  std::string bytes;                   // UTF-8
  std::u32string characters;           // [n]
  std::vector<std::uint32_t> starts;   // [n + 1] in bytes
  std::vector<std::uint32_t> origins;  // [n] the code point of the text that was given

  std::size_t size() const { return characters.size(); }
  std::string_view view(std::size_t begin, std::size_t end) const {
    return std::string_view(bytes).substr(starts[begin], starts[end] - starts[begin]);
  }
  /// Throws TextError for invalid UTF-8.
  void read(std::string_view text, bool lowercase, Accents accents);
  /// `\s\s+` becomes one space.
  void join_spaces();

 private:
  void lower();
  void strip(Accents accents);
  void encode();
};

}  // namespace headlight
