// headlight help COMMAND: the same as headlight COMMAND --help; with --long, all that is said of
// its options; help tasks: commands by what they are good for.

#include <memory>
#include <string>

#include "commands/command.h"
#include "help/fixed_texts.h"
#include "help/usage.h"
#include "options/help_group.h"
#include "options/options.h"

namespace headlight {
namespace {

/// The help of the command, or of the program if `name` is empty. Throws UsageError.
std::string help_of(const CLI::App& app, const std::string& name, bool is_long) {
  const auto mode = is_long ? CLI::AppFormatMode::All : CLI::AppFormatMode::Normal;
  if (name.empty()) {  // help() of the program would be that of the chosen command
    return app.get_formatter()->make_help(&app, app.get_name(), mode);
  }
  if (name == "tasks") return std::string(kTasks);
  const auto commands =
      app.get_subcommands([&](const CLI::App* known) { return known->check_name(name); });
  if (commands.empty()) throw UsageError(unknown_command(app, name));
  const CLI::App* command = commands.front();
  return command->get_formatter()->make_help(command, app.get_name() + " " + name, mode);
}

}  // namespace

void add_help(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand("help", "Print the help of a command");
  const auto name = std::make_shared<std::string>();
  command->add_option("COMMAND", *name,
                      "The command, or tasks: what people come for, and the command that does it "
                      "(default: list all commands)");
  const auto is_long = std::make_shared<bool>();
  const HelpGroup often(*command, kOftenGroup);
  command->add_flag("--long", *is_long, "Say all of each option, as its manual page does");
  command->footer(
      "Examples:\n"
      "  headlight help\n"
      "  headlight help tasks\n"
      "  headlight help fit --long");
  command->callback([&app, name, is_long, &runner] {
    runner = [&app, name, is_long] {
      print(help_of(app, *name, *is_long));
      return kSuccess;
    };
  });
}

}  // namespace headlight
