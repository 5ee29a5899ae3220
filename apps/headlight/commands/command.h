// The table of commands. Each command is one file that declares its options and provides a function
// that runs it and returns the exit status. To add a command, write NAME.cpp with a function
// add_NAME, and add one line to the table below and one to apps/CMakeLists.txt.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace headlight {

/// Exit statuses.
inline constexpr int kSuccess = 0;
inline constexpr int kUnusable = 1;    // a model, file or output could not be used
inline constexpr int kWrongUsage = 2;  // the command line was wrong
inline constexpr int kTextErrors = 3;  // the run finished, some texts or rows are errors
inline constexpr int kSignalBase = 128;

/// Runs the chosen command, which sets it.
using Runner = std::function<int()>;

// clang-format off
/// In the order in which help lists them.
#define HEADLIGHT_COMMANDS(COMMAND) \
  COMMAND(classify)                 \
  COMMAND(batch)                    \
  COMMAND(embed)                    \
  COMMAND(rank)                     \
  COMMAND(evaluate)                 \
  COMMAND(attention)                \
  COMMAND(explain)                  \
  COMMAND(stream)                   \
  COMMAND(tokenize)                 \
  COMMAND(inspect)                  \
  COMMAND(init)                     \
  COMMAND(fit)                      \
  COMMAND(check)                    \
  COMMAND(export)                   \
  COMMAND(models)                   \
  COMMAND(completion)               \
  COMMAND(pages)                    \
  COMMAND(help)
// clang-format on

#define HEADLIGHT_DECLARE(NAME) void add_##NAME(CLI::App& app, Runner& runner);
HEADLIGHT_COMMANDS(HEADLIGHT_DECLARE)
#undef HEADLIGHT_DECLARE

}  // namespace headlight
