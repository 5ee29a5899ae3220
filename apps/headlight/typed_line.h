// A line that is being typed, key by key, with the few keys that change it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

class TypedLine {
 public:
  enum class Key : std::uint8_t { nothing, changed, finished, ended };

  /// One byte from the terminal. Backspace takes back a character, Ctrl-W a word, Ctrl-U the line;
  /// Enter finishes it, Ctrl-D ends. Other control keys, and what arrow keys send, do nothing.
  Key take(char byte);
  /// Begins the next line.
  void clear() { text_.clear(); }

  /// Valid UTF-8: a character is there once it is whole.
  const std::string& text() const { return text_; }
  /// The words that white space follows, or all where the line is `finished`.
  std::vector<std::string> words(bool finished) const;

 private:
  enum class Escape : std::uint8_t { none, begun, sequence };

  Key take_control(char byte);
  void add(char byte);
  void drop_character();
  void drop_word();

  std::string text_;
  std::string character_;  // the beginning of one
  Escape escape_ = Escape::none;
};

}  // namespace headlight
