// headlight pages DIR, which help does not list: writes what a build installs below share/, manual
// pages and completion scripts.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands/command.h"
#include "help/completion.h"
#include "help/man_page.h"
#include "options/options.h"

namespace headlight {
namespace {

void write_page(const std::filesystem::path& path, const std::string& content) {
  std::filesystem::create_directories(path.parent_path());
  OutputFile file(path.string(), /*force=*/true);
  file.output().write(content);
  file.finish();
}

void write_pages(const std::filesystem::path& folder, const std::vector<CommandPage>& pages) {
  for (const CommandPage& page : pages) {
    write_page(folder / "man/man1" / man_page_name(page), man_page(page, pages));
  }
  write_page(folder / "bash-completion/completions/headlight", bash_completion(pages));
  write_page(folder / "zsh/site-functions/_headlight", zsh_completion(pages));
  write_page(folder / "fish/vendor_completions.d/headlight.fish", fish_completion(pages));
}

}  // namespace

void add_pages(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand("pages", "Write manual pages and completion scripts");
  command->group("");
  const auto folder = std::make_shared<std::string>();
  command->add_option("DIR", *folder, "Folder to write to")->required();
  command->callback([&app, folder, &runner] {
    runner = [&app, folder] {
      write_pages(*folder, all_pages(app));
      return kSuccess;
    };
  });
}

}  // namespace headlight
