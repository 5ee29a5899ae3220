#include "help/zsh_completion.h"

#include <string_view>

#include "options/choice.h"

namespace headlight {
namespace {

constexpr const char* kZshBegin = R"sh(#compdef headlight
# zsh completion of headlight, made from its command line by `headlight completion zsh`.

# Models by name, folders and configs.
_headlight_any_model() {
  local -a names
  names=(${(0)"$(${(Q)program} models --names 2>/dev/null)"})
  _alternative 'models:model:compadd -a names' 'files:file:_files'
}

_headlight() {
  local program=$words[1] state line ret=1
  local -a commands
  typeset -A opt_args
  commands=(
)sh";

constexpr const char* kZshEnd = R"sh(      esac
      ;;
  esac
  return ret
}

if [[ $funcstack[1] == _headlight ]]; then
  _headlight "$@"
else
  compdef _headlight headlight
fi
)sh";

/// Inside single quotes, with backslashes before what separates the parts of a specification.
std::string zsh_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += R"('\'')";
      continue;
    }
    if (std::string_view(R"(\[]:)").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// ":what is completed:how"
std::string zsh_value(const OptionPage& option) {
  const std::string name = ':' + zsh_escaped(option.value);
  if (!option.choices.empty()) {
    return name + ":(" + joined(option.choices, " ") + ')';
  }
  switch (option.kind) {
    case ValueKind::file:
      return name + ":_files";
    case ValueKind::folder:
      return name + ":_files -/";
    case ValueKind::model:
      return name + ":_headlight_any_model";
    case ValueKind::command:
      return name + ":{_describe command commands}";
    default:
      return name + ": ";
  }
}

std::string zsh_option(const OptionPage& option) {
  const std::string rest = "'[" + zsh_escaped(brief(option)) + ']' +
                           (option.value.empty() ? "" : zsh_value(option)) + '\'';
  const std::string names = option.short_name + ' ' + option.long_name;
  if (option.short_name.empty()) {
    const std::string again = option.repeats ? "'*'" : "";
    return again + option.long_name + rest;
  }
  const std::string again = option.repeats ? "'*'" : "'(" + names + ")'";
  return again + '{' + option.short_name + ',' + option.long_name + '}' + rest;
}

std::string zsh_command(const CommandPage& command) {
  std::string text = "        " + command.name + ")\n          _arguments -s -S";
  for (const OptionGroupPage& group : command.groups) {
    for (const OptionPage& option : group.options) {
      text += " \\\n            " + zsh_option(option);
    }
  }
  for (const OptionPage& argument : command.arguments) {
    text += std::string(" \\\n            '") + (argument.repeats ? "*" : "") +
            zsh_value(argument) + '\'';
  }
  return text + " && ret=0\n          ;;\n";
}

}  // namespace

std::string zsh_completion(const std::vector<CommandPage>& commands) {
  std::string list;
  std::string first = "  _arguments -C";
  std::string cases;
  for (const CommandPage& command : commands) {
    if (command.name.empty()) {
      for (const OptionGroupPage& group : command.groups) {
        for (const OptionPage& option : group.options) first += " \\\n    " + zsh_option(option);
      }
      continue;
    }
    list += "    '" + command.name + ':' + zsh_escaped(brief(command.description)) + "'\n";
    cases += zsh_command(command);
  }
  return kZshBegin + list + "  )\n" + first +
         " \\\n    '1: :->command' \\\n    '*:: :->arguments' && ret=0\n"
         "  case $state in\n"
         "    command) _describe command commands && ret=0 ;;\n"
         "    arguments)\n"
         "      case $words[1] in\n" +
         cases + kZshEnd;
}

}  // namespace headlight
