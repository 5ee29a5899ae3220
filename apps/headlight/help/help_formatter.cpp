#include "help/help_formatter.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>

#include "options/options.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kTextColumn = 24;    // where descriptions begin
constexpr std::ptrdiff_t kShortLines = 2;  // of an option, but in the long help

/// A signature, and the description in a column beside it.
std::string help_entry(const std::string& signature, const std::string& description,
                       std::size_t columns) {
  // In a narrow terminal the description goes below.
  const std::size_t column = columns < 3 * kTextColumn ? 4 * kIndent : kTextColumn;
  const std::string text = wrapped(description, columns, column);
  std::string line = std::string(kIndent, ' ') + signature;
  const std::size_t width = width_of(line);
  if (width + 2 > column) return line + '\n' + text;
  return line + std::string(column - width, ' ') + text.substr(column);
}

/// As much as `lines` lines have of it.
std::string option_entry(const std::string& signature, const OptionPage& option,
                         std::size_t columns, std::ptrdiff_t lines) {
  std::string entry;
  for (const std::string& description : descriptions_of(option)) {
    entry = help_entry(signature, description, columns);
    if (std::ranges::count(entry, '\n') <= lines) break;
  }
  return entry;
}

std::string option_lines(const CommandPage& page, std::size_t columns, std::ptrdiff_t lines) {
  std::string text = page.arguments.empty() ? "" : "\nArguments:\n";
  for (const OptionPage& argument : page.arguments) {
    const std::string name = argument.long_name + (argument.repeats ? "..." : "");
    text += option_entry(name, argument, columns, lines);
  }
  for (const OptionGroupPage& group : page.groups) {
    text += '\n' + group.name + ":\n";
    for (const OptionPage& option : group.options) {
      text += option_entry(signature_of(option), option, columns, lines);
    }
  }
  return text;
}

std::string command_lines(const CLI::App& app, std::size_t columns) {
  std::string text;
  for (const CLI::App* command : listed_commands(app)) {
    text += help_entry(command->get_name(), command->get_description(), columns);
  }
  return text.empty() ? "" : "\nCommands:\n" + text;
}

/// Lines that begin with a blank are commands, which are copied: they are not wrapped.
std::string footer_lines(const CommandPage& page, std::size_t columns) {
  std::string text;
  std::istringstream lines(page.footer);
  for (std::string line; std::getline(lines, line);) {
    text += line.starts_with(' ') ? line + '\n' : wrapped(line, columns, 0);
  }
  return text.empty() ? "" : '\n' + text;
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    const std::size_t columns = help_columns();
    const CommandPage page = page_of(*app);
    std::string text = wrapped(page.description, columns, 0);
    text += wrapped("Usage: " + name + " " + usage_of(page), columns, 0);
    const std::string all = option_lines(page, columns, PTRDIFF_MAX);
    const std::string shown =
        mode == CLI::AppFormatMode::All ? all : option_lines(page, columns, kShortLines);
    text += command_lines(*app, columns) + shown;
    if (shown != all) {
      text += '\n' + wrapped("headlight help " + page.name + " --long says all of each option.",
                             columns, 0);
    }
    return text + footer_lines(page, columns);
  }
};

}  // namespace

std::string signature_of(const OptionPage& option) {
  std::string text = option.short_name.empty() ? "    " : option.short_name + ", ";
  text += option.long_name;
  return option.value.empty() ? text : text + ' ' + option.value;
}

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

std::size_t help_columns() {
  constexpr std::size_t kWide = 80;
  const bool is_set = std::getenv("COLUMNS") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  return is_set ? Console::columns() : std::min(kWide, Console::columns());
}

}  // namespace headlight
