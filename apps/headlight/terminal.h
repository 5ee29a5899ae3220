// A terminal at the other end of a descriptor.
#pragma once

#include <cstddef>
#include <optional>

#include <termios.h>

namespace headlight {

/// How many characters fit on a line; 80 where nobody says.
std::size_t terminal_columns(int descriptor);

/// Hands each key over as it is pressed, and shows none of them, until this goes; Ctrl-C is a
/// signal still. Does nothing to what is no terminal.
class KeyByKey {
 public:
  explicit KeyByKey(int descriptor);
  ~KeyByKey();
  KeyByKey(const KeyByKey&) = delete;
  KeyByKey& operator=(const KeyByKey&) = delete;

 private:
  int descriptor_;
  std::optional<termios> before_;
};

}  // namespace headlight
