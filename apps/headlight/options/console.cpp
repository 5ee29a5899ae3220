#include "options/console.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <unistd.h>

#include "base/utf8.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/output_options.h"
#include "report/formats/plain_text.h"
#include "terminal/terminal.h"

namespace headlight {

void complain(const std::string& line) {
  constexpr std::size_t kLongest = 1500;  // engines keep the last 2 KB of standard error
  const std::string text = "headlight: " + shortened(printable(line), kLongest);
  const bool has_command = line.find("headlight ") != std::string::npos;  // to be copied whole
  const bool wraps = !has_command && ::isatty(STDERR_FILENO) == 1;
  // One write.
  std::cerr << (wraps ? wrapped(text, terminal_columns(STDERR_FILENO), 0) : text + '\n');
}

void Console::add_to(CLI::App& command) {
  const HelpGroup group(command, kRunGroup);
  mark(command.add_flag("-q,--quiet", quiet_, "Print only errors on standard error"),
       Effect::nothing);
  mark(command.add_flag("-v,--verbose", verbose_, "Print what is used and why"), Effect::nothing);
}

void Console::add_color_to(CLI::App& command) {
  const HelpGroup group(command, kOutputGroup);
  mark(when(command.add_option("--color", "Colors in text output; auto: on a terminal"), color_),
       Effect::nothing);
}

void Console::note(const std::string& line) const {
  if (!quiet_) complain(line);
}

void Console::detail(const std::string& line) const {
  if (verbose_) complain(line);
}

bool Console::color() const {
  if (color_ != When::automatic) return color_ == When::always;
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  return ::isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
}

bool Console::color(const OutputOptions& output) const {
  return output.path().empty() ? color() : color_ == When::always;
}

TerminalColours Console::terminal_colours(const OutputOptions& output) const {
  return color(output) ? headlight::terminal_colours() : TerminalColours();
}

std::size_t Console::columns() {
  constexpr std::size_t kLeast = 40;
  constexpr std::size_t kMost = 10'000;
  std::size_t columns = 0;
  const char* said = std::getenv("COLUMNS");  // NOLINT(concurrency-mt-unsafe)
  if (said != nullptr) std::from_chars(said, said + std::strlen(said), columns);
  if (columns == 0) columns = terminal_columns(STDOUT_FILENO);
  return std::clamp(columns, kLeast, kMost);
}

CLI::Option* when(CLI::Option* option, When& value) {
  return choice(option, value,
                {{"auto", When::automatic}, {"always", When::always}, {"never", When::never}})
      ->option_text("WHEN");
}

}  // namespace headlight
