#include "cli/help_page.h"

#include <sstream>

#include "cli/process.h"
#include "cli/refusal.h"

namespace headlight {
namespace {

/// "  -o, --output FILE   text"
HelpOption option_in(const std::string& line) {
  HelpOption option;
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (word.ends_with(',')) {
    option.short_name = word.substr(0, word.size() - 1);
    words >> word;
  }
  option.name = word;
  // One blank before a value, at least two before the description.
  const std::size_t end = line.find(option.name) + option.name.size();
  if (end + 1 < line.size() && line[end] == ' ' && line[end + 1] != ' ') words >> option.value;
  return option;
}

}  // namespace

std::vector<std::string> listed_commands() {
  Command command;
  command.arguments = {"help"};
  std::vector<std::string> names;
  bool inside = false;
  for (const std::string& line : lines_of(run(command).out)) {
    if (inside && line.empty()) break;
    if (inside && line.starts_with("  ") && line[2] != ' ') {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    inside = inside || line == "Commands:";
  }
  return names;
}

HelpPage help_page_of(const std::string& command) {
  Command help;
  help.arguments = {"help"};
  if (!command.empty()) help.arguments.push_back(command);
  HelpPage page;
  for (const std::string& line : lines_of(run(help).out)) {
    if (line == "Examples:") break;
    const bool is_heading = line.ends_with(':') && !line.starts_with(' ');
    if (is_heading && line != "Commands:" && line != "Arguments:") {
      page.groups.push_back(line.substr(0, line.size() - 1));
    }
    if (line.starts_with("  -") || line.starts_with("      --")) {
      page.options.push_back(option_in(line));
    }
  }
  return page;
}

}  // namespace headlight
