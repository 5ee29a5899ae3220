// What is said on standard error, and how standard output is shown: --quiet, --verbose, --color.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "report/formats/colours.h"

namespace headlight {

/// Writes one line to standard error with control characters escaped.
void complain(const std::string& line);

class OutputOptions;

/// Value of --color and --progress.
enum class When : std::uint8_t { automatic, always, never };

/// -q, -v, and --color of commands whose text output has colours
class Console {
 public:
  void add_to(CLI::App& command);
  void add_color_to(CLI::App& command);
  /// Writes one line to standard error, unless --quiet was given.
  void note(const std::string& line) const;
  /// Writes one line to standard error if --verbose was given.
  void detail(const std::string& line) const;
  bool is_verbose() const { return verbose_; }
  bool is_quiet() const { return quiet_; }
  /// Whether to use colours on standard output.
  bool color() const;
  /// Whether to use colours in a result; in a file only with --color always.
  bool color(const OutputOptions& output) const;
  /// How, if color(output).
  TerminalColours terminal_colours(const OutputOptions& output) const;
  /// Width of the output: COLUMNS, else the width of the terminal, else 80; at least 40.
  static std::size_t columns();

 private:
  bool quiet_ = false;
  bool verbose_ = false;
  When color_ = When::automatic;
};

/// Completes an option that takes auto, always or never.
CLI::Option* when(CLI::Option* option, When& value);

}  // namespace headlight
