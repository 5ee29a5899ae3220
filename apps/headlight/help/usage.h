// What is wrong with a command line, and which name may have been meant.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace headlight {

/// Describes a command that does not exist.
std::string unknown_command(const CLI::App& app, const std::string& name);

/// Describes the first argument that the parser could not use.
std::string unknown_argument(const CLI::App& app);

}  // namespace headlight
