#include "help/completion.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "help/fixed_texts.h"
#include "options/choice.h"

namespace headlight {
namespace {

/// `script` with texts in place of its marks.
std::string filled(std::string_view script,
                   const std::vector<std::pair<std::string, std::string>>& texts) {
  std::string result(script);
  for (const auto& [mark, text] : texts) result.replace(result.find(mark), mark.size(), text);
  return result;
}

/// How the shells complete a kind of value.
struct Completer {
  ValueKind kind;
  const char* bash;
  const char* zsh;
  const char* fish;
};

constexpr std::array<Completer, 6> kCompleters = {{
    {ValueKind::none, "", "", ""},
    {ValueKind::word, "", ": ", " -x"},
    {ValueKind::file, "_headlight_files f", ":_files", " -r -F"},
    {ValueKind::folder, "_headlight_files d", ":_files -/",
     " -x -a '(__fish_complete_directories)'"},
    {ValueKind::model, "_headlight_any_model", ":_headlight_any_model",
     " -r -F -a '(__headlight_models)'"},
    {ValueKind::command, "", ":{_describe command commands}", ""},
}};

const Completer& completer_of(const OptionPage& option) {
  return *std::ranges::find(kCompleters, option.kind, &Completer::kind);
}

/// The commands of the pages, which begin with that of the program.
std::string names_of(const std::vector<CommandPage>& pages) {
  std::vector<std::string> names;
  for (const CommandPage& page : pages) {
    if (!page.name.empty()) names.push_back(page.name);
  }
  return joined(names, " ");
}

/// The only words that a value can be; empty: it can be others.
std::string words_of(const OptionPage& option, const std::string& commands) {
  return option.kind == ValueKind::command ? commands : joined(option.choices, " ");
}

std::string bash_action(const OptionPage& option, const std::string& commands) {
  const std::string words = words_of(option, commands);
  return words.empty() ? completer_of(option).bash : "_headlight_words \"" + words + '"';
}

std::string option_names(const CommandPage& page) {
  std::vector<std::string> names;
  for (const OptionPage& option : options_of(page)) {
    if (!option.short_name.empty()) names.push_back(option.short_name);
    names.push_back(option.long_name);
  }
  return joined(names, " ");
}

std::string bash_case(const CommandPage& page, const std::string& commands) {
  std::string values;
  for (const OptionPage& option : options_of(page)) {
    if (option.value.empty()) continue;
    const std::string action = bash_action(option, commands);
    values += "        " + (option.short_name.empty() ? "" : option.short_name + " | ") +
              option.long_name + ") " + (action.empty() ? "" : action + "; ") + "return ;;\n";
  }
  std::string text = "    " + page.name + ")\n";
  if (!values.empty()) {
    text += "      [[ $is_text ]] || case $previous in\n" + values + "      esac\n";
  }
  text += "      if [[ $current == -* && ! $is_text ]]; then\n        _headlight_words \"" +
          option_names(page) + "\"\n        return\n      fi\n";
  if (!page.arguments.empty()) {
    const std::string action = bash_action(page.arguments.front(), commands);
    if (!action.empty()) text += "      " + action + '\n';
  }
  return text + "      ;;\n";
}

/// Inside single quotes, with backslashes before what separates the parts of a specification.
std::string zsh_escaped(const std::string& text) {
  return replaced(
      text, {{'\'', R"('\'')"}, {'\\', R"(\\)"}, {'[', R"(\[)"}, {']', R"(\])"}, {':', R"(\:)"}});
}

/// ":what is completed:how"
std::string zsh_value(const OptionPage& option) {
  const std::string how =
      option.choices.empty() ? completer_of(option).zsh : ":(" + joined(option.choices, " ") + ')';
  return ':' + zsh_escaped(option.value) + how;
}

std::string zsh_option(const OptionPage& option) {
  const std::string rest = "'[" + zsh_escaped(brief(option)) + ']' +
                           (option.value.empty() ? "" : zsh_value(option)) + '\'';
  if (option.short_name.empty()) return (option.repeats ? "'*'" : "") + option.long_name + rest;
  const std::string once = "'(" + option.short_name + ' ' + option.long_name + ")'";
  return (option.repeats ? "'*'" : once) + '{' + option.short_name + ',' + option.long_name + '}' +
         rest;
}

/// The options of a page, each on a line that continues the one before it.
std::string zsh_options(const CommandPage& page, const std::string& indent) {
  std::string text;
  for (const OptionPage& option : options_of(page)) {
    text += " \\\n" + indent + zsh_option(option);
  }
  return text;
}

std::string zsh_case(const CommandPage& page) {
  const std::string indent(12, ' ');
  std::string text = "        " + page.name + ")\n          _arguments -s -S";
  text += zsh_options(page, indent);
  for (const OptionPage& argument : page.arguments) {
    text += " \\\n" + indent + (argument.repeats ? "'*" : "'") + zsh_value(argument) + '\'';
  }
  return text + " && ret=0\n          ;;\n";
}

std::string fish_quoted(const std::string& text) {
  return '\'' + replaced(text, {{'\'', R"(\')"}, {'\\', R"(\\)"}}) + '\'';
}

/// The part of `complete` that says how a value is completed.
std::string fish_value(const OptionPage& option, const std::string& commands) {
  const std::string words = words_of(option, commands);
  return words.empty() ? completer_of(option).fish : " -x -a " + fish_quoted(words);
}

std::string fish_lines(const CommandPage& page, const std::string& commands) {
  const std::string when =
      page.name.empty() ? "__headlight_needs_command" : "__headlight_runs " + page.name;
  const std::string begin = "complete -c headlight -n " + fish_quoted(when);
  std::string text;
  for (const OptionPage& option : options_of(page)) {
    text += begin + (option.short_name.empty() ? "" : " -s " + option.short_name.substr(1)) +
            " -l " + option.long_name.substr(2) + fish_value(option, commands) + " -d " +
            fish_quoted(brief(option)) + '\n';
  }
  for (const OptionPage& argument : page.arguments) {
    std::string value = fish_value(argument, commands);
    // Without an option, -x and -r would ask for one.
    if (value.starts_with(" -x") || value.starts_with(" -r")) value.erase(0, 3);
    if (!value.empty()) text += begin + value + '\n';
  }
  return text;
}

}  // namespace

std::string bash_completion(const std::vector<CommandPage>& pages) {
  const std::string commands = names_of(pages);
  std::string cases;
  for (const CommandPage& page : pages) {
    if (!page.name.empty()) cases += bash_case(page, commands);
  }
  return filled(kBashScript,
                {{"@NAMES@", commands + ' ' + option_names(pages.front())}, {"@CASES@", cases}});
}

std::string zsh_completion(const std::vector<CommandPage>& pages) {
  std::string commands;
  std::string cases;
  for (const CommandPage& page : pages) {
    if (page.name.empty()) continue;
    commands += "    '" + page.name + ':' + zsh_escaped(brief(page.description)) + "'\n";
    cases += zsh_case(page);
  }
  return filled(kZshScript, {{"@COMMANDS@", commands},
                             {"@OPTIONS@", zsh_options(pages.front(), "    ")},
                             {"@CASES@", cases}});
}

std::string fish_completion(const std::vector<CommandPage>& pages) {
  const std::string commands = names_of(pages);
  std::string list;
  std::string lines;
  for (const CommandPage& page : pages) {
    lines += fish_lines(page, commands);
    if (page.name.empty()) continue;
    list += "complete -c headlight -n __headlight_needs_command -a " + page.name + " -d " +
            fish_quoted(brief(page.description)) + '\n';
  }
  return filled(kFishScript, {{"@LINES@", list + lines}});
}

}  // namespace headlight
