#include "terminal/terminal_background.h"

#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace headlight {
namespace {

constexpr std::string_view kQuestion = "\x1b]11;?\x1b\\";
constexpr std::string_view kAnswer = "\x1b]11;";

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets variables
  return value == nullptr ? "" : value;
}

/// The last signal that was held back; 0 if there was none.
std::atomic<int> held_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

/// During its lifetime, signals that end or stop the process wait, whichever thread they arrive in.
class SignalsHeld {
 public:
  SignalsHeld() {
    struct sigaction hold {};
    hold.sa_handler = [](int number) { held_signal = number; };
    sigemptyset(&hold.sa_mask);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals.at(i), &hold, &before_.at(i));
    }
  }
  ~SignalsHeld() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals.at(i), &before_.at(i), nullptr);
    }
    if (const int number = held_signal.exchange(0); number != 0) ::raise(number);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  static constexpr std::array kSignals = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};

  std::array<struct sigaction, kSignals.size()> before_{};
};

/// The controlling terminal, without echo and lines during its lifetime.
class SilentTerminal {
 public:
  SilentTerminal() : descriptor_(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0 || ::tcgetattr(descriptor_, &before_) != 0) return;
    termios mode = before_;
    mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    mode.c_cc[VMIN] = 0;
    mode.c_cc[VTIME] = 0;
    is_silent_ = ::tcsetattr(descriptor_, TCSANOW, &mode) == 0;
  }
  ~SilentTerminal() {
    restore();
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;

  bool is_silent() const { return is_silent_; }

  bool has_input(std::chrono::milliseconds patience) const {
    pollfd input{descriptor_, POLLIN, 0};
    return ::poll(&input, 1, static_cast<int>(patience.count())) > 0 &&
           (input.revents & POLLIN) != 0;
  }
  bool write(std::string_view text) const {
    return ::write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }
  std::string read() const {
    std::array<char, 256> bytes{};
    const ssize_t count = ::read(descriptor_, bytes.data(), bytes.size());
    return {bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
  }
  /// Puts `typed` before the terminal's reader again, where the system permits it.
  void give_back(const std::string& typed) {
    restore();
    for (const char byte : typed) ::ioctl(descriptor_, TIOCSTI, &byte);
  }

 private:
  void restore() {
    if (is_silent_) ::tcsetattr(descriptor_, TCSANOW, &before_);
    is_silent_ = false;
  }

  int descriptor_;
  bool is_silent_ = false;
  termios before_{};
};

/// Where the answer is in `bytes`: from its ESC to after BEL or ESC \; {npos, npos} if there is no
/// whole one.
struct Span {
  std::size_t begin = std::string::npos;
  std::size_t end = std::string::npos;
};

Span answer_in(const std::string& bytes) {
  Span span{bytes.find(kAnswer), std::string::npos};
  if (span.begin == std::string::npos) return span;
  const std::size_t from = span.begin + kAnswer.size();
  const std::size_t bell = bytes.find('\a', from);
  const std::size_t string_end = bytes.find("\x1b\\", from);
  if (bell < string_end) {
    span.end = bell + 1;
  } else if (string_end != std::string::npos) {
    span.end = string_end + 2;
  }
  return span;
}

/// 1 to 4 hexadecimal digits of a part of a colour, as one byte.
std::optional<std::uint8_t> part_of(std::string_view digits) {
  if (digits.empty() || digits.size() > 4) return std::nullopt;
  unsigned value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  const unsigned largest = (1U << 4U * static_cast<unsigned>(digits.size())) - 1U;
  return static_cast<std::uint8_t>((value * 255U + largest / 2U) / largest);
}

/// COLORFGBG is "letters;background" or "letters;default;background", numbers of the 16 colours.
std::optional<Colour> background_of_environment() {
  const std::string value = variable("COLORFGBG");
  const std::size_t begin = value.rfind(';');
  if (begin == std::string::npos) return std::nullopt;
  unsigned number = 16;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data() + begin + 1, end, number);
  if (error != std::errc() || stop != end || number > 15) return std::nullopt;
  const bool is_dark = number < 7 || number == 8;
  return is_dark ? Colour{0, 0, 0} : Colour{255, 255, 255};
}

}  // namespace

TerminalColours terminal_colours(bool may_ask) {
  const std::string kind = variable("COLORTERM");
  TerminalColours colours;
  colours.truecolour = kind == "truecolor" || kind == "24bit";
  std::optional<Colour> background = may_ask ? asked_background() : std::nullopt;
  if (!background) background = background_of_environment();
  colours.background = background.value_or(Colour{0, 0, 0});
  return colours;
}

std::optional<Colour> asked_background() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kPatience{50};
  const std::string kind = variable("TERM");
  if (kind.empty() || kind == "dumb" || kind == "linux") return std::nullopt;  // print it instead
  // True only for the foreground process of the terminal; another must not read from it.
  if (::tcgetpgrp(STDOUT_FILENO) != ::getpgrp()) return std::nullopt;
  const SignalsHeld held;
  SilentTerminal terminal;
  if (!terminal.is_silent() || terminal.has_input(std::chrono::milliseconds(0))) {
    return std::nullopt;
  }
  if (!terminal.write(kQuestion)) return std::nullopt;
  const auto deadline = Clock::now() + kPatience;
  std::string bytes;
  Span span;
  while (span.end == std::string::npos) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0 || !terminal.has_input(left)) break;
    const std::string read = terminal.read();
    if (read.empty()) break;
    bytes += read;
    span = answer_in(bytes);
  }
  const auto colour = parse_background(bytes);
  if (span.begin != std::string::npos) bytes.erase(span.begin, span.end - span.begin);
  terminal.give_back(bytes);
  return colour;
}

std::optional<Colour> parse_background(const std::string& answer) {
  const Span span = answer_in(answer);
  if (span.end == std::string::npos) return std::nullopt;
  const std::size_t begin = span.begin + kAnswer.size();
  std::string_view text = std::string_view(answer).substr(begin, span.end - begin);
  text = text.substr(0, text.find_first_of("\a\x1b"));
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (colon == std::string_view::npos || (name != "rgb" && name != "rgba")) return std::nullopt;
  text.remove_prefix(colon + 1);
  std::array<std::uint8_t, 3> parts{};
  for (std::uint8_t& part : parts) {
    const std::size_t slash = text.find('/');
    const auto value = part_of(text.substr(0, slash));
    if (!value) return std::nullopt;
    part = *value;
    text.remove_prefix(slash == std::string_view::npos ? text.size() : slash + 1);
  }
  return Colour{parts[0], parts[1], parts[2]};
}

}  // namespace headlight
