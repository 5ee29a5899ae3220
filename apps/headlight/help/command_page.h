// What the command line says about a command, for help, man pages and completions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace headlight {

/// What a value is, so that a shell can complete it.
enum class ValueKind : std::uint8_t { none, word, file, folder, model, command };

/// An option, or an argument without a name of its own such as TEXT.
struct OptionPage {
  std::string short_name;  // "-o" or empty
  std::string long_name;   // "--output", or the name of an argument
  std::string value;       // "FILE"; empty: takes none
  std::string description;
  std::string rules;                 // "needs --ids; not with --pair"; may be empty
  std::vector<std::string> choices;  // the only values; empty: any
  ValueKind kind = ValueKind::none;
  bool repeats = false;
  bool required = false;
};

struct OptionGroupPage {
  std::string name;
  std::vector<OptionPage> options;
};

struct CommandPage {
  std::string name;  // empty: the program itself
  std::string description;
  std::vector<OptionPage> arguments;
  std::vector<OptionGroupPage> groups;
  std::string footer;
};

/// The commands that help lists.
std::vector<const CLI::App*> listed_commands(const CLI::App& app);

/// The page of the program or of one command.
CommandPage page_of(const CLI::App& command);

/// The options of all groups.
std::vector<OptionPage> options_of(const CommandPage& page);

/// The pages of the program and of the commands that help lists.
std::vector<CommandPage> all_pages(const CLI::App& app);

/// The description with the rules, and whether the option is required.
std::string full_description(const OptionPage& option);
/// The part of a description that fits beside a name in a shell.
std::string brief(const std::string& description);
/// The same with the rules.
std::string brief(const OptionPage& option);

/// All of it, then ever less, which "…" says: without details, without the rules or the values that
/// it can have. The last one is the part before the first ";" or "(".
std::vector<std::string> descriptions_of(const OptionPage& option);

/// "[OPTIONS] [TEXT...]", or "[COMMAND]" for the program.
std::string usage_of(const CommandPage& page);

}  // namespace headlight
