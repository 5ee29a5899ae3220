#include "help/fish_completion.h"

#include "options/choice.h"

namespace headlight {
namespace {

constexpr const char* kFishBegin =
    R"(# fish completion of headlight, made from its command line by `headlight completion fish`.

function __headlight_needs_command
    test (count (commandline -opc)) -eq 1
end

# Whether this is the command of the line.
function __headlight_runs
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end

# Not names with a tab: what is behind it would be a description.
function __headlight_models
    set -l words (commandline -opc)
    for name in ($words[1] models --names 2>/dev/null | string split0)
        string match -q '*'\t'*' -- $name; or printf '%s\0' $name
    end | string split0
end

complete -c headlight -f
)";

std::string fish_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// The part of `complete` that says how a value is completed.
std::string fish_value(const OptionPage& option, const std::string& commands) {
  if (!option.choices.empty()) return " -x -a " + fish_quoted(joined(option.choices, " "));
  switch (option.kind) {
    case ValueKind::none:
      return "";
    case ValueKind::file:
      return " -r -F";
    case ValueKind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::model:
      return " -r -F -a '(__headlight_models)'";
    case ValueKind::command:
      return " -x -a " + fish_quoted(commands);
    default:
      return " -x";
  }
}

std::string fish_lines(const CommandPage& command, const std::string& commands) {
  const std::string when =
      command.name.empty() ? "__headlight_needs_command" : "__headlight_runs " + command.name;
  const std::string begin = "complete -c headlight -n " + fish_quoted(when);
  std::string text;
  for (const OptionGroupPage& group : command.groups) {
    for (const OptionPage& option : group.options) {
      text += begin;
      if (!option.short_name.empty()) text += " -s " + option.short_name.substr(1);
      text += " -l " + option.long_name.substr(2) + fish_value(option, commands) + " -d " +
              fish_quoted(brief(option)) + '\n';
    }
  }
  for (const OptionPage& argument : command.arguments) {
    if (argument.kind == ValueKind::word && argument.choices.empty()) continue;
    std::string value = fish_value(argument, commands);
    // Without an option, -x and -r would ask for one.
    for (const char* flag : {" -x", " -r"}) {
      if (value.starts_with(flag)) value.erase(0, 3);
    }
    text += begin + value + '\n';
  }
  return text;
}

}  // namespace

std::string fish_completion(const std::vector<CommandPage>& commands) {
  std::vector<std::string> names;
  std::string script = kFishBegin;
  for (const CommandPage& command : commands) {
    if (command.name.empty()) continue;
    names.push_back(command.name);
    script += "complete -c headlight -n __headlight_needs_command -a " + command.name + " -d " +
              fish_quoted(brief(command.description)) + '\n';
  }
  for (const CommandPage& command : commands) script += fish_lines(command, joined(names, " "));
  return script;
}

}  // namespace headlight
