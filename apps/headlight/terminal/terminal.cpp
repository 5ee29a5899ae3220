#include "terminal/terminal.h"

#include <charconv>
#include <cstdlib>
#include <string>

#include <sys/ioctl.h>

namespace headlight {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  return value == nullptr ? "" : value;
}

/// COLORFGBG is "letters;background" or "letters;default;background", numbers of the 16 colours.
bool has_light_background() {
  const std::string value = variable("COLORFGBG");
  const std::size_t begin = value.rfind(';');
  if (begin == std::string::npos) return false;
  unsigned number = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data() + begin + 1, end, number);
  return error == std::errc() && stop == end && (number == 7 || (number > 8 && number < 16));
}

}  // namespace

std::size_t terminal_columns(int descriptor) {
  constexpr std::size_t kUnknown = 80;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUnknown;
  return size.ws_col;
}

TerminalColours terminal_colours() {
  const std::string kind = variable("COLORTERM");
  const bool truecolour = kind == "truecolor" || kind == "24bit";
  return {truecolour, has_light_background() ? Colour{255, 255, 255} : Colour{0, 0, 0}};
}

}  // namespace headlight
