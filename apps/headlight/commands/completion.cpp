// headlight completion SHELL: a script that completes command lines of headlight in a shell.

#include "help/completion.h"

#include <memory>
#include <string>

#include "commands/command.h"
#include "options/choice.h"
#include "options/options.h"

namespace headlight {
namespace {

using Script = std::string (*)(const std::vector<CommandPage>& commands);

}  // namespace

void add_completion(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand("completion", "Print the completion script of a shell");
  const auto script = std::make_shared<Script>(nullptr);
  choice(command->add_option("SHELL", "The shell"), *script,
         {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}})
      ->required();
  command->footer(
      "Examples:\n"
      "  headlight completion bash > headlight.bash\n"
      "  headlight completion zsh > _headlight\n"
      "Where the script belongs:\n"
      "  bash  ~/.local/share/bash-completion/completions/headlight\n"
      "  zsh   a folder of $fpath, as _headlight\n"
      "  fish  ~/.config/fish/completions/headlight.fish");
  command->callback([&app, script, &runner] {
    runner = [&app, script] {
      print((*script)(all_pages(app)));
      return kSuccess;
    };
  });
}

}  // namespace headlight
