// The commands of configs/README.md print what the page shows and draw its pictures, also a second
// time.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "cli/refusal.h"

namespace headlight::readme_test {
namespace {

namespace fs = std::filesystem;

const fs::path kConfigs = fs::path(HEADLIGHT_SOURCE) / "configs";

/// A line "    $ command" and the indented lines below it.
struct Shown {
  std::string command;
  std::string output;
};

std::string without_last_blanks(std::string text) {
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

std::vector<Shown> commands_of(const std::string& page) {
  const std::string indent = "    ";
  std::vector<Shown> commands;
  bool inside = false;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with(indent + "$ ")) {
      commands.push_back({line.substr(indent.size() + 2), ""});
      inside = true;
    } else if (inside && (line.empty() || line.starts_with(indent))) {
      commands.back().output += (line.empty() ? line : line.substr(indent.size())) + '\n';
    } else {
      inside = false;
    }
  }
  return commands;
}

std::string without_trailing_blanks(const std::string& text) {
  std::string lines;
  for (const std::string& line : lines_of(text)) lines += without_last_blanks(line) + '\n';
  return without_last_blanks(lines);
}

Outcome run_in_shell(const std::string& line, const std::string& folder) {
  Command command;
  command.program = "/bin/sh";
  command.arguments = {"-c", line};
  command.environment = {"PATH=" + fs::path(HEADLIGHT_PROGRAM).parent_path().string() +
                         ":/usr/bin:/bin"};
  command.directory = folder;
  return run(command);
}

TEST_CASE("the commands of configs/README.md print what it shows, twice, and draw its pictures") {
  const std::string page = content_of((kConfigs / "README.md").string());
  const std::vector<Shown> commands = commands_of(page);
  CHECK(commands.size() > 30);
  const TemporaryFolder folder;
  fs::copy(kConfigs, folder / "configs");  // without the pictures
  fs::create_directory(folder / "configs/pictures");
  fs::create_directory(folder / "build");
  fs::create_directory_symlink(HEADLIGHT_TEST_DATA, folder / "tests");
  for (const char* time : {"first", "second"}) {
    for (const auto& [command, output] : commands) {
      CAPTURE(time);
      CAPTURE(command);
      const Outcome outcome = run_in_shell(command, folder.path());
      CAPTURE(outcome.err);
      CHECK(outcome.status == 0);
      CHECK(without_trailing_blanks(outcome.out) == without_last_blanks(output));
    }
  }
  std::size_t pictures = 0;
  for (const auto& picture : fs::directory_iterator(kConfigs / "pictures")) {
    const std::string name = "pictures/" + picture.path().filename().string();
    CAPTURE(name);
    CHECK(content_of(picture.path().string()) == folder.read("configs/" + name));
    CHECK(page.find("](" + name + ")") != std::string::npos);
    ++pictures;
  }
  CHECK(pictures > 10);
}

}  // namespace
}  // namespace headlight::readme_test
