// A line that is typed key by key, with simple editing keys.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

class TypedLine {
 public:
  enum class Key : std::uint8_t { nothing, changed, finished, ended };

  /// Takes one byte from the terminal. Backspace deletes a character, Ctrl-W a word, Ctrl-U the
  /// line. Enter finishes the line, Ctrl-D ends the input. Ignores other control keys.
  Key take(char byte);
  /// Starts a new line.
  void clear() { text_.clear(); }

  /// Valid UTF-8: a character is added when all its bytes have arrived.
  const std::string& text() const { return text_; }
  /// The words followed by white space, or all words if the line is `finished`.
  std::vector<std::string> words(bool finished) const;

 private:
  enum class Escape : std::uint8_t { none, begun, sequence };

  Key take_control(char byte);
  void add(char byte);
  void drop_character();
  void drop_word();

  std::string text_;
  std::string character_;  // the first bytes of an incomplete character
  Escape escape_ = Escape::none;
};

}  // namespace headlight
