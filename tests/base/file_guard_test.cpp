// Inputs that no output may replace.
#include "base/file_guard.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/file.h"
#include "base/output.h"
#include "base/temporary_folder.h"

namespace headlight::file_guard_test {
namespace {

namespace fs = std::filesystem;

std::string claim(const std::string& path) {
  return error_of([&] { claim_output(path, {".partial"}); });
}

TEST_CASE(
    "an input is refused as an output by its path, a hard link, a symbolic link and a suffix") {
  const TemporaryFolder folder;
  folder.write("rows", "a");
  folder.write("new.partial", "b");
  fs::create_hard_link(folder / "rows", folder / "hard");
  fs::create_symlink("rows", folder / "soft");
  const FileGuard guard;
  const MappedFile rows(folder / "rows");
  const MappedFile partial(folder / "new.partial");
  CHECK(claim(folder / "rows").find("is read by this command") != std::string::npos);
  for (const std::string name : {"hard", "soft", "./rows"}) {
    INFO(name);
    CHECK(claim(folder / name).find("is the same file as " + (folder / "rows")) !=
          std::string::npos);
  }
  CHECK(claim(folder / "new").starts_with(folder / "new.partial: "));
  CHECK(error_of([&] { const OutputFile file(folder / "rows", true); }).find("never replaced") !=
        std::string::npos);
  CHECK(folder.read("rows") == "a");
}

TEST_CASE("one path cannot be two outputs, however it is spelled; devices can") {
  const TemporaryFolder folder;
  const FileGuard guard;
  CHECK(claim(folder / "out") == "");
  CHECK(claim(folder / "other") == "");
  CHECK(claim(folder / "./out").find("two outputs") != std::string::npos);
  CHECK(claim("/dev/null") == "");
  CHECK(claim("/dev/null") == "");
}

TEST_CASE("a released input may be replaced, unless another path of it was read too") {
  const TemporaryFolder folder;
  folder.write("rows", "a");
  fs::create_hard_link(folder / "rows", folder / "hard");
  const FileGuard guard;
  guard_input(folder / "rows");
  release_input(folder / "rows");
  CHECK(claim(folder / "rows") == "");
  guard_input(folder / "rows");
  guard_input(folder / "hard");
  release_input(folder / "rows");
  CHECK(claim(folder / "rows").find("never replaced") != std::string::npos);
}

TEST_CASE("without a guard nothing is refused") {
  const TemporaryFolder folder;
  folder.write("rows", "a");
  guard_input(folder / "rows");
  CHECK(claim(folder / "rows") == "");
}

}  // namespace
}  // namespace headlight::file_guard_test
