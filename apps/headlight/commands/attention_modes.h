// What headlight attention can show: a mode is one row of a table, and one file that runs it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace headlight {

struct AttentionCommand;

struct AttentionMode {
  /// Asks for it: "--steps" is a flag, "--patch TEXT" has a value. Empty: weights, without a word.
  const char* option;
  const char* help;     // nullptr: the option is declared elsewhere
  const char* formats;  // "text or json"; empty: as other rules say
  const char* takes;    // the options for attention weights that it reads: "--query or --head"
  /// Returns the exit status. Throws UsageError, Error, and TextError if a text cannot be scored.
  int (*show)(const AttentionCommand& command);

  std::string name() const;  // "--patch"
  bool has_option() const { return *option != 0; }
};

/// The first is for weights.
std::span<const AttentionMode> attention_modes();

/// Adds the options of the modes.
void add_modes_to(CLI::App& command);
/// Adds the rules between them and others: a mode refuses each other mode, and those of
/// `of_weights` that it does not take. Must be called after all options.
void add_mode_rules_to(CLI::App& command, const std::vector<CLI::Option*>& of_weights);

/// The mode that a command line asks for.
const AttentionMode& attention_mode(const CLI::App& command);

}  // namespace headlight
