#include "cli/live_program.h"

#include <filesystem>
#include <system_error>

#include "base/compression.h"
#include "base/temporary_folder.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// "bin/headlight" below the folder.
std::string copy_program(const TemporaryFolder& tree) {
  std::string program = tree / "bin/headlight";
  fs::create_directories(tree / "bin");
  std::error_code other_disk;
  fs::create_hard_link(HEADLIGHT_PROGRAM, program, other_disk);
  if (other_disk) fs::copy_file(HEADLIGHT_PROGRAM, program);
  const fs::path models = fs::path(HEADLIGHT_PROGRAM).parent_path() / "models";
  fs::create_directory_symlink(fs::canonical(models), tree / "bin/models");
  return program;
}

}  // namespace

const std::string& live_program() {
  static const TemporaryFolder tree;
  static const std::string program = [] {
    const std::string live = "share/headlight/live/headlight.";
    tree.write(live + "js.gz", compressed_member(Compression::gzip, kScript));
    tree.write(live + "wasm.gz", compressed_member(Compression::gzip, kWasm));
    return copy_program(tree);
  }();
  return program;
}

const std::string& program_without_module() {
  static const TemporaryFolder tree;
  static const std::string program = copy_program(tree);
  return program;
}

}  // namespace headlight
