#include "terminal/terminal.h"

#include <sys/ioctl.h>

namespace headlight {

std::size_t terminal_columns(int descriptor) {
  constexpr std::size_t kUnknown = 80;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUnknown;
  return size.ws_col;
}

KeyByKey::KeyByKey(int descriptor) : descriptor_(descriptor) {
  termios mode{};
  if (::tcgetattr(descriptor_, &mode) != 0) return;
  before_ = mode;
  mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  ::tcsetattr(descriptor_, TCSADRAIN, &mode);
}

KeyByKey::~KeyByKey() { restore(); }

void KeyByKey::restore() const {
  if (before_) ::tcsetattr(descriptor_, TCSADRAIN, &*before_);
}

}  // namespace headlight
