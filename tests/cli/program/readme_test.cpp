// The examples of README.md, configs/README.md and the pages of apps print what the pages show, and
// their pictures are those that the commands draw.
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "cli/refusal.h"

namespace headlight::readme_test {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = HEADLIGHT_SOURCE;

std::string page_of(const std::string& name) { return content_of((kSource / name).string()); }

/// A line "    $ command", which goes on after a backslash, and the indented lines below it.
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
    if (inside && commands.back().command.ends_with('\\')) {
      commands.back().command += '\n' + line;
    } else if (line.starts_with(indent + "$ ")) {
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

/// Runs the commands in a folder as the root of the repository is, and compares what they print.
void check_commands(const std::vector<Shown>& commands, const std::string& folder) {
  for (const auto& [command, output] : commands) {
    CAPTURE(command);
    const Outcome outcome = run_in_shell(command, folder);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(without_trailing_blanks(outcome.out) == without_last_blanks(output));
  }
}

/// The name by which a link reaches a heading: "## What holds" is #what-holds.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading.substr(heading.find_first_not_of("# "))) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      anchor += '-';
    } else if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80) {
      anchor += static_cast<char>(std::tolower(byte));
    }
  }
  return anchor;
}

bool has_anchor(const fs::path& page, const std::string& anchor) {
  for (const std::string& line : lines_of(content_of(page.string()))) {
    if (line.starts_with("#") && anchor_of(line) == anchor) return true;
  }
  return false;
}

/// Without what stands between lines of ```.
std::string without_code(const std::string& page) {
  std::string text;
  bool is_code = false;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("```")) is_code = !is_code;
    if (!is_code) text += line + '\n';
  }
  return text;
}

/// The targets of the links and pictures of a page: "](target)".
std::vector<std::string> links_of(const std::string& whole) {
  const std::string page = without_code(whole);
  std::vector<std::string> links;
  for (std::size_t at = page.find("]("); at != std::string::npos; at = page.find("](", at + 2)) {
    links.push_back(page.substr(at + 2, page.find(')', at) - at - 2));
  }
  return links;
}

TEST_CASE("the commands of configs/README.md print what it shows, twice, and draw its pictures") {
  const std::string page = page_of("configs/README.md");
  const std::vector<Shown> commands = commands_of(page);
  CHECK(commands.size() > 30);
  const TemporaryFolder folder;
  fs::copy(kSource / "configs", folder / "configs");  // without the pictures
  fs::create_directory(folder / "configs/pictures");
  fs::create_directory(folder / "build");
  fs::create_directory_symlink(HEADLIGHT_TEST_DATA, folder / "tests");
  for (const char* time : {"first", "second"}) {
    CAPTURE(time);
    check_commands(commands, folder.path());
  }
  std::size_t pictures = 0;
  for (const auto& picture : fs::directory_iterator(kSource / "configs/pictures")) {
    const std::string name = "pictures/" + picture.path().filename().string();
    CAPTURE(name);
    CHECK(content_of(picture.path().string()) == folder.read("configs/" + name));
    CHECK(page.find("](" + name + ")") != std::string::npos);
    ++pictures;
  }
  CHECK(pictures > 10);
}

TEST_CASE("the commands of README.md and of the guide print what the pages show") {
  for (const char* name : {"README.md", "apps/README.md", "apps/fasttext.md", "apps/cron.md",
                           "apps/cascade.md", "apps/rows.md"}) {
    CAPTURE(name);
    const std::vector<Shown> commands = commands_of(page_of(name));
    CHECK(commands.size() > 2);
    const TemporaryFolder folder;
    fs::copy(kSource / "configs", folder / "configs");
    // The program is built already: what scripts/run does after it has built one.
    fs::create_directory(folder / "scripts");
    std::ofstream(folder / "scripts/run") << "#!/bin/sh\nexec headlight classify \"$@\"\n";
    fs::permissions(folder / "scripts/run", fs::perms::owner_all);
    check_commands(commands, folder.path());
  }
}

TEST_CASE("README.md has at most 7.5 KB: tables and manuals belong to the READMEs of the folders") {
  CHECK(page_of("README.md").size() <= 7680);
}

TEST_CASE("what is not released yet takes at most 120 lines of the changelog") {
  const std::string page = page_of("CHANGELOG.md");
  const std::size_t begin = page.find("## Unreleased");
  if (begin == std::string::npos) return;  // a release
  CHECK(lines_of(page.substr(begin, page.find("\n## ", begin) - begin)).size() <= 120);
}

TEST_CASE("the links of the READMEs lead to files and headings that exist") {
  for (const char* name :
       {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "apps/README.md", "apps/fasttext.md",
        "apps/scikit-learn.md", "apps/cron.md", "apps/rows.md", "apps/headlight_bench/README.md",
        "configs/README.md", "data/README.md", "scripts/README.md", "src/README.md",
        "tests/README.md"}) {
    for (const std::string& link : links_of(page_of(name))) {
      if (link.starts_with("http")) continue;
      CAPTURE(name);
      CAPTURE(link);
      const std::size_t hash = link.find('#');
      const fs::path page = kSource / name;
      const fs::path target = hash == 0 ? page : page.parent_path() / link.substr(0, hash);
      REQUIRE(fs::exists(target));
      if (hash != std::string::npos) CHECK(has_anchor(target, link.substr(hash + 1)));
    }
  }
}

}  // namespace
}  // namespace headlight::readme_test
