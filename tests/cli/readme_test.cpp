// The commands of a README work, and work again.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "cli/refusal.h"

namespace headlight::readme_test {
namespace {

namespace fs = std::filesystem;

TEST_CASE("the commands of configs/README.md work twice") {
  const TemporaryFolder folder;
  const fs::path source = HEADLIGHT_SOURCE;
  fs::create_directory_symlink(source / "configs", folder / "configs");
  std::string script =
      "cd '" + folder.path() + "'\nexec > said 2>&1\nset -x\nh='" + HEADLIGHT_PROGRAM + "'\n";
  std::size_t commands = 0;
  for (const std::string& line : lines_of(content_of((source / "configs/README.md").string()))) {
    if (!line.starts_with("    ")) continue;
    script += line + " || exit 1\n";
    ++commands;
  }
  CHECK(commands > 10);
  const std::string command = "sh '" + folder.write("script", script) + "'";
  for (const char* time : {"first", "second"}) {
    INFO(time << " time: " << folder.read("said"));
    CHECK(std::system(command.c_str()) == 0);
  }
}

}  // namespace
}  // namespace headlight::readme_test
