// What was typed → what it means → do it. A command is one file: it declares its options on the
// parser, and gives a function that runs it and returns the exit status.
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

void add_classify(CLI::App& app, Runner& runner);
void add_batch(CLI::App& app, Runner& runner);
void add_evaluate(CLI::App& app, Runner& runner);
void add_attention(CLI::App& app, Runner& runner);
void add_stream(CLI::App& app, Runner& runner);
void add_tokenize(CLI::App& app, Runner& runner);
void add_inspect(CLI::App& app, Runner& runner);
void add_init(CLI::App& app, Runner& runner);
void add_models(CLI::App& app, Runner& runner);

}  // namespace headlight
