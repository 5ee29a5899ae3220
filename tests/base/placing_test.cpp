#include "base/placing.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace headlight::placing_test {
namespace {

TEST_CASE("a directory gets a name that is free, and takes that of another one") {
  const TemporaryFolder folder;
  for (const std::string content : {"first", "second"}) {
    folder.write("new/file", content);
    place_directory(folder / "new", folder / "model");
    CHECK(folder.read("model/file") == content);
    CHECK_FALSE(folder.has("new"));
  }
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a directory that cannot be placed leaves the one that was there") {
  const TemporaryFolder folder;
  folder.write("model/file", "old");
  folder.write("model.old/file", "another");
  const std::string missing = folder / "missing";
  CHECK(error_of([&] { place_directory(missing, folder / "model"); }) ==
        folder / "model" + ": cannot rename " + missing + " to it: No such file or directory");
  CHECK(folder.read("model/file") == "old");
  CHECK(folder.read("model.old/file") == "another");
}

}  // namespace
}  // namespace headlight::placing_test
