// What `headlight help COMMAND` lists.
#pragma once

#include <string>
#include <vector>

namespace headlight {

struct HelpOption {
  std::string name;        // "--output"
  std::string short_name;  // "-o" or empty
  std::string value;       // "FILE" or empty
};

struct HelpPage {
  std::vector<std::string> groups;
  std::vector<HelpOption> options;
};

/// The commands that `headlight help` lists.
std::vector<std::string> listed_commands();

/// Of a command, or of the program where `command` is empty.
HelpPage help_page_of(const std::string& command);

}  // namespace headlight
