// Width and colours of a terminal, and input key by key.
#pragma once

#include <cstddef>
#include <optional>

#include <termios.h>

#include "report/formats/terminal_colours.h"

namespace headlight {

/// Columns of the terminal; 80 if unknown.
std::size_t terminal_columns(int descriptor);

/// For pictures: truecolour if COLORTERM is "truecolor" or "24bit"; the background, dark or light,
/// from COLORFGBG, which some terminals set, else dark.
TerminalColours terminal_colours();

/// During its lifetime, the terminal delivers each key as it is pressed and does not echo it.
/// Ctrl-C still sends a signal. Has no effect if the descriptor is not a terminal.
class KeyByKey {
 public:
  explicit KeyByKey(int descriptor);
  ~KeyByKey();
  KeyByKey(const KeyByKey&) = delete;
  KeyByKey& operator=(const KeyByKey&) = delete;

  /// The terminal is as before.
  void restore() const;

 private:
  int descriptor_;
  std::optional<termios> before_;
};

}  // namespace headlight
