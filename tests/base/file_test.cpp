#include "base/file.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace headlight::file_test {
namespace {

TEST_CASE("a mapped file holds its bytes, also after a move") {
  const TemporaryFolder folder;
  MappedFile first(folder.write("a", std::string("x\0y", 3)));
  CHECK(first.text() == std::string("x\0y", 3));
  MappedFile second = std::move(first);
  CHECK(second.bytes().size() == 3);
  MappedFile third(folder.write("b", "other"));
  third = std::move(second);
  CHECK(third.text() == std::string("x\0y", 3));
  CHECK(MappedFile(folder.write("empty", "")).text().empty());
}

TEST_CASE("pages that were let go are read again, and no others are") {
  const TemporaryFolder folder;
  std::string content(50'000, 'x');
  for (std::size_t i = 0; i < content.size(); i += 7) content[i] = static_cast<char>(i % 100);
  const MappedFile file(folder.write("a", content));
  const auto bytes = file.bytes();
  std::vector<std::byte> elsewhere(50'000, std::byte{1});
  file.let_go(elsewhere);
  CHECK(std::count(elsewhere.begin(), elsewhere.end(), std::byte{1}) == 50'000);
  for (const auto part : {bytes, bytes.subspan(5'000, 20'000), bytes.subspan(10, 20),
                          bytes.subspan(0, 0), std::span<const std::byte>()}) {
    file.let_go(part);
    CHECK(file.text() == content);
  }
}

TEST_CASE("what cannot be mapped is named with the reason") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  struct Row {
    std::string path;
    std::string reason;
  };
  const Row rows[] = {
      {folder / "absent", "No such file or directory"},
      {folder.write("file", "x") + "/below", "Not a directory"},
      {folder.path(), "is a directory, expected a file"},
      {folder / "pipe", "is not a regular file"},  // and nobody waits for its writer
      {"/dev/null", "is not a regular file"},
  };
  for (const auto& row : rows) {
    CHECK(error_of([&] { MappedFile file(row.path); }) == row.path + ": " + row.reason);
  }
}

}  // namespace
}  // namespace headlight::file_test
