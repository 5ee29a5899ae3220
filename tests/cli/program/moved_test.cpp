// The program finds the bundled models from its own place, wherever its tree is moved.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "cli/refusal.h"

namespace headlight::moved_test {
namespace {

namespace fs = std::filesystem;

void check_classifies(const fs::path& program, const std::string& directory) {
  CAPTURE(program.string());
  Command command;
  command.program = program.string();
  command.arguments = {"classify", "a gorgeous, witty, seductive movie"};
  command.directory = directory;
  const Outcome outcome = run(command);
  check_sane(outcome);
  CHECK(outcome.err == "");
  CHECK(outcome.out.starts_with("positive 9"));
  command.arguments = {"models", "--names"};
  CHECK(std::ranges::count(run(command).out, '\0') == 5);  // each name ends with it
}

TEST_CASE("an installed tree works where it is moved, and through a link") {
  const TemporaryFolder folder;
  const std::string install = "cmake --install '" + std::string(HEADLIGHT_BUILD) + "' --prefix '" +
                              folder / "installed" + "' > '" + folder / "log" + "' 2>&1";
  REQUIRE(std::system(install.c_str()) == 0);
  check_classifies(folder / "installed/bin/headlight", "/");
  fs::rename(folder / "installed", folder / "moved away");
  check_classifies(folder / "moved away/bin/headlight", folder.path());
  fs::create_directories(folder / "bin");
  fs::create_symlink("../moved away/bin/headlight", folder / "bin/headlight");
  check_classifies(folder / "bin/headlight", "/");
  for (const char* file :
       {"man/man1/headlight.1", "bash-completion/completions/headlight",
        "zsh/site-functions/_headlight", "fish/vendor_completions.d/headlight.fish"}) {
    CHECK(folder.has(std::string("moved away/share/") + file));
  }
}

TEST_CASE("a source folder with its build folder works where it is moved") {
  const fs::path source = HEADLIGHT_SOURCE;
  const fs::path build = fs::relative(HEADLIGHT_BUILD, source);
  if (build.begin()->string() == "..") return;  // it is elsewhere, and its link names the source
  const TemporaryFolder folder;
  const fs::path tree = folder / "tree";
  fs::create_directories(tree / build / "bin");
  fs::create_directories(tree / "data");
  fs::create_directory_symlink(source / "data/models", tree / "data/models");
  fs::copy_file(HEADLIGHT_PROGRAM, tree / build / "bin/headlight");
  fs::copy_symlink(source / build / "bin/models", tree / build / "bin/models");
  check_classifies(tree / build / "bin/headlight", "/");
}

}  // namespace
}  // namespace headlight::moved_test
