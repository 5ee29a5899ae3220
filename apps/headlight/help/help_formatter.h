// The help of a command, wrapped at COLUMNS: two lines an option, or with AppFormatMode::All all
// that is said of it.
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "help/command_page.h"

namespace headlight {

/// "-o, --output FILE" in help and man pages.
std::string signature_of(const OptionPage& option);

/// For CLI::App::formatter(); commands inherit it.
std::shared_ptr<CLI::FormatterBase> help_formatter();

/// COLUMNS, or 80 columns where the terminal is not narrower.
std::size_t help_columns();

}  // namespace headlight
