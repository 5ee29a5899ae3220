// headlight help COMMAND: the same as headlight COMMAND --help; help tasks: commands by what they
// are good for.

#include <memory>
#include <string>

#include "commands/command.h"
#include "help/fixed_texts.h"
#include "help/usage.h"
#include "options/options.h"

namespace headlight {
namespace {

/// The help of the command, or of the program if `name` is empty. Throws UsageError.
std::string help_of(const CLI::App& app, const std::string& name) {
  if (name.empty()) {  // help() of the program would be that of the chosen command
    return app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
  }
  if (name == "tasks") return std::string(kTasks);
  const auto commands =
      app.get_subcommands([&](const CLI::App* known) { return known->check_name(name); });
  if (commands.empty()) throw UsageError(unknown_command(app, name));
  const CLI::App* command = commands.front();
  return command->get_formatter()->make_help(command, app.get_name() + " " + name,
                                             CLI::AppFormatMode::Normal);
}

}  // namespace

void add_help(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand("help", "Print the help of a command");
  const auto name = std::make_shared<std::string>();
  command->add_option("COMMAND", *name,
                      "The command, or tasks: what people come for, and the command that does it "
                      "(default: list all commands)");
  command->footer(
      "Examples:\n"
      "  headlight help\n"
      "  headlight help tasks\n"
      "  headlight help classify");
  command->callback([&app, name, &runner] {
    runner = [&app, name] {
      print(help_of(app, *name));
      return kSuccess;
    };
  });
}

}  // namespace headlight
