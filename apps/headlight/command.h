// What was typed → what it means → do it. A command is one file: it declares its options on the
// parser, and gives a function that runs it and returns the exit status. To add one, write NAME.cpp
// with an add_NAME, and give it a line in the table below and in apps/CMakeLists.txt.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace headlight {

/// Exit statuses of the contract.
inline constexpr int kSuccess = 0;
inline constexpr int kUnusable = 1;    // a model, file or output could not be used
inline constexpr int kWrongUsage = 2;  // the command line was wrong
inline constexpr int kTextErrors = 3;  // the run finished, some texts or rows are errors
inline constexpr int kSignalBase = 128;

/// Set by the command that was chosen.
using Runner = std::function<int()>;

// clang-format off
/// In the order of the help.
#define HEADLIGHT_COMMANDS(COMMAND) \
  COMMAND(classify)                 \
  COMMAND(batch)                    \
  COMMAND(evaluate)                 \
  COMMAND(attention)                \
  COMMAND(explain)                  \
  COMMAND(stream)                   \
  COMMAND(tokenize)                 \
  COMMAND(inspect)                  \
  COMMAND(init)                     \
  COMMAND(models)
// clang-format on

#define HEADLIGHT_DECLARE(NAME) void add_##NAME(CLI::App& app, Runner& runner);
HEADLIGHT_COMMANDS(HEADLIGHT_DECLARE)
#undef HEADLIGHT_DECLARE

}  // namespace headlight
