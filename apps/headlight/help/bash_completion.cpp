#include "help/bash_completion.h"

#include "options/choice.h"

namespace headlight {
namespace {

constexpr const char* kBashBegin =
    R"sh(# bash completion of headlight, made from its command line by `headlight completion bash`.

# Completes with these words, which are not names: compgen -W expands what they hold.
_headlight_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

# Completes with files (f) or folders (d). compgen breaks a name at a newline, and bash leaves $ and `
# as they are in what is no file.
_headlight_files() {
  local name
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    if [[ -e $name || $name != *[\$\`]* ]]; then COMPREPLY+=("$name"); fi
  done < <(compgen "-$1" -- "$current")
}

# Completes with models by name, folders and configs. Names that need quotes get them here, if none
# are open.
_headlight_any_model() {
  local name quoted unescaped=${current//\\?/} special=
  _headlight_files f
  while IFS= read -r -d '' name; do
    printf -v quoted %q "$name"
    if [[ $quoted == "$name" ]]; then
      if [[ $name == "${current#[\'\"]}"* ]]; then COMPREPLY+=("$name"); fi
    elif [[ $unescaped != *[\'\"]* && ($name == "$current"* || $quoted == "$current"*) ]]; then
      COMPREPLY+=("$name")
      special=yes
    fi
  done < <("${COMP_WORDS[0]}" models --names 2>/dev/null)
  if [[ $special ]]; then
    compopt +o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(printf '%q\n' "${COMPREPLY[@]}")
  fi
}

_headlight() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} word is_text=
  COMPREPLY=()
  # bash splits --format=json at the equals sign.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    if [[ $word == -- ]]; then is_text=yes; fi
  done
  if ((COMP_CWORD == 1)); then
)sh";

constexpr const char* kBashEnd = R"sh(  esac
}

complete -F _headlight headlight
)sh";

std::string commands_in(const std::vector<CommandPage>& commands) {
  std::vector<std::string> names;
  for (const CommandPage& command : commands) {
    if (!command.name.empty()) names.push_back(command.name);
  }
  return joined(names, " ");
}

/// What completes a value; empty: nothing does.
std::string bash_action(const OptionPage& option, const std::string& commands) {
  if (!option.choices.empty()) return "_headlight_words \"" + joined(option.choices, " ") + '"';
  switch (option.kind) {
    case ValueKind::file:
      return "_headlight_files f";
    case ValueKind::folder:
      return "_headlight_files d";
    case ValueKind::model:
      return "_headlight_any_model";
    case ValueKind::command:
      return "_headlight_words \"" + commands + '"';
    default:
      return "";
  }
}

std::string names_in(const CommandPage& command) {
  std::vector<std::string> names;
  for (const OptionGroupPage& group : command.groups) {
    for (const OptionPage& option : group.options) {
      if (!option.short_name.empty()) names.push_back(option.short_name);
      names.push_back(option.long_name);
    }
  }
  return joined(names, " ");
}

std::string bash_values(const CommandPage& command, const std::string& commands) {
  std::string text;
  for (const OptionGroupPage& group : command.groups) {
    for (const OptionPage& option : group.options) {
      if (option.value.empty()) continue;
      const std::string names =
          (option.short_name.empty() ? "" : option.short_name + " | ") + option.long_name;
      const std::string act = bash_action(option, commands);
      text += "        " + names + ") " + (act.empty() ? "" : act + "; ") + "return ;;\n";
    }
  }
  return text.empty() ? "" : "      [[ $is_text ]] || case $previous in\n" + text + "      esac\n";
}

std::string bash_case(const CommandPage& command, const std::string& commands) {
  std::string text = "    " + command.name + ")\n" + bash_values(command, commands);
  text += "      if [[ $current == -* && ! $is_text ]]; then\n        _headlight_words \"" +
          names_in(command) + "\"\n        return\n      fi\n";
  if (!command.arguments.empty()) {
    const std::string act = bash_action(command.arguments.front(), commands);
    if (!act.empty()) text += "      " + act + '\n';
  }
  return text + "      ;;\n";
}

}  // namespace

std::string bash_completion(const std::vector<CommandPage>& commands) {
  const std::string names = commands_in(commands);
  std::string script = kBashBegin;
  std::string cases;
  for (const CommandPage& command : commands) {
    if (command.name.empty()) {
      script +=
          "    _headlight_words \"" + names + ' ' + names_in(command) + "\"\n    return\n  fi\n";
    } else {
      cases += bash_case(command, names);
    }
  }
  return script + "  case ${COMP_WORDS[1]} in\n" + cases + kBashEnd;
}

}  // namespace headlight
