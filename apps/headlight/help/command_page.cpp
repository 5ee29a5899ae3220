#include "help/command_page.h"

#include <algorithm>

#include "options/declaration.h"
#include "options/help_group.h"

namespace headlight {
namespace {

/// The name of the value, which a command sets by option_text().
std::string value_name(const CLI::Option& option) {
  const std::string text = CLI::detail::trim_copy(option.get_option_text());
  return text.empty() ? "VALUE" : text;
}

ValueKind kind_of(const std::string& value) {
  if (value == "FILE") return ValueKind::file;
  if (value == "DIR") return ValueKind::folder;
  if (value == "CONFIG" || value.starts_with("NAME|DIR")) return ValueKind::model;
  return value == "COMMAND" ? ValueKind::command : ValueKind::word;
}

OptionPage option_page(const CLI::App& command, const CLI::Option& option) {
  OptionPage page;
  const bool is_argument = option.get_positional();
  if (is_argument) {
    page.long_name = option.get_name(/*positional=*/true);
  } else if (!option.get_lnames().empty()) {
    page.long_name = "--" + option.get_lnames().front();
  }
  if (!option.get_snames().empty()) page.short_name = "-" + option.get_snames().front();
  if (option.get_items_expected_max() > 0) {
    page.value = is_argument ? page.long_name : value_name(option);
    page.kind = kind_of(page.value);
  }
  page.description = option.get_description();
  page.rules = rules_text(command, option);
  page.choices = declaration_of(option).choices;
  page.required = option.get_required();
  page.repeats = option.get_expected_max() > 1;
  return page;
}

std::string with_rules(const std::string& text, const OptionPage& option) {
  return option.rules.empty() ? text : text + "; " + option.rules;
}

}  // namespace

std::vector<const CLI::App*> listed_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

CommandPage page_of(const CLI::App& command) {
  CommandPage page;
  if (command.get_parent() != nullptr) page.name = command.get_name();
  page.description = command.get_description();
  page.footer = command.get_footer();
  for (const char* name : kHelpGroups) page.groups.push_back({name, {}});
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) {
      page.arguments.push_back(option_page(command, *option));
      continue;
    }
    const bool is_help = option == command.get_help_ptr();
    const std::string name = is_help ? kRunGroup : option->get_group();
    const auto group = std::ranges::find(page.groups, name, &OptionGroupPage::name);
    if (group != page.groups.end()) group->options.push_back(option_page(command, *option));
  }
  for (OptionGroupPage& group : page.groups) {  // --help is declared first and listed last
    std::ranges::stable_sort(group.options, {}, [](const OptionPage& option) {
      return option.long_name == "--output" ? 0 : option.long_name == "--help" ? 2 : 1;
    });
  }
  std::erase_if(page.groups, [](const OptionGroupPage& group) { return group.options.empty(); });
  return page;
}

std::vector<OptionPage> options_of(const CommandPage& page) {
  std::vector<OptionPage> options;
  for (const OptionGroupPage& group : page.groups) {
    options.insert(options.end(), group.options.begin(), group.options.end());
  }
  return options;
}

std::vector<CommandPage> all_pages(const CLI::App& app) {
  std::vector<CommandPage> pages = {page_of(app)};
  for (const CLI::App* command : listed_commands(app)) pages.push_back(page_of(*command));
  return pages;
}

std::string full_description(const OptionPage& option) {
  return with_rules(option.description, option) + (option.required ? " (required)" : "");
}

std::string brief(const std::string& description) {
  return description.substr(0, std::min(description.find(';'), description.find(" (")));
}

std::string brief(const OptionPage& option) {
  return with_rules(brief(option.description), option);
}

std::vector<std::string> descriptions_of(const OptionPage& option) {
  const std::string& text = option.description;
  const std::size_t end =
      text.ends_with(')') ? std::min(text.rfind(" ("), text.size()) : text.size();
  const std::string first = brief(text) + (option.required ? " (required)" : "");
  const std::string values = first + text.substr(end);
  const std::size_t preset = values.find("; default: ", first.size());
  const std::string words = values.substr(0, preset) + (preset < values.size() ? ")" : "");
  return {full_description(option),
          with_rules(values, option) + " …",
          values + " …",
          words + " …",
          with_rules(first, option) + " …",
          first + " …"};
}

std::string usage_of(const CommandPage& page) {
  if (page.name.empty()) return "COMMAND [OPTIONS]";
  std::string usage = "[OPTIONS]";
  for (const OptionPage& argument : page.arguments) {
    const std::string name = argument.long_name + (argument.repeats ? "..." : "");
    usage += argument.required ? " " + name : " [" + name + "]";
  }
  return usage;
}

}  // namespace headlight
