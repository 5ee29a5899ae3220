#include "base/output.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/compression.h"
#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace headlight::output_test {
namespace {

bool stands(const std::string& path) { return std::filesystem::exists(path); }

TEST_CASE("an output file stands under its name only once it is whole") {
  const TemporaryFolder folder;
  const std::string path = folder / "out.json";
  OutputFile file(path, false);
  file.output().write("[1]");
  file.output().flush();
  CHECK_FALSE(stands(path));
  CHECK(content_of(path + ".partial") == "[1]");
  file.finish();
  CHECK(content_of(path) == "[1]");
  CHECK_FALSE(stands(path + ".partial"));
}

TEST_CASE("an unfinished file goes, and what stood there stays") {
  const TemporaryFolder folder;
  const std::string path = folder.write("out", "old");
  {
    OutputFile file(path, true);
    file.output().write("new");
    file.output().flush();
    CHECK(content_of(path + ".partial") == "new");
  }
  CHECK(content_of(path) == "old");
  CHECK_FALSE(stands(path + ".partial"));
}

TEST_CASE("what stands there is kept unless force is given") {
  const TemporaryFolder folder;
  const std::string path = folder.write("out", "old");
  const auto write_over = [&](bool force) {
    return error_of([&] {
      OutputFile file(path, force);
      file.output().write("new");
      file.finish();
    });
  };
  CHECK(write_over(false) == path + ": exists already; --force replaces it");
  CHECK(content_of(path) == "old");
  CHECK(write_over(true).empty());
  CHECK(content_of(path) == "new");
}

TEST_CASE("where nothing can be written the path is named") {
  const TemporaryFolder folder;
  const auto open = [](const std::string& path) {
    return error_of([&] { OutputFile(path, true); });
  };
  CHECK(open(folder.path()) == folder.path() + ": is a directory, expected a file to write");
  CHECK(open(folder / "absent/out") ==
        folder / "absent/out.partial" + ": cannot write: No such file or directory");
}

TEST_CASE("a full device is said, once the bytes are handed over") {
  OutputFile file("/dev/full", false);
  file.output().write("x");
  CHECK(error_of([&] { file.finish(); }) == "/dev/full: cannot write: No space left on device");
  CHECK_FALSE(stands("/dev/full.partial"));

  OutputFile big("/dev/full", false);
  CHECK_FALSE(error_of([&] { big.output().write(std::string(100'000, 'x')); }).empty());
}

TEST_CASE("a device is written directly and without force") {
  OutputFile file("/dev/null", false);
  file.output().write("x");
  CHECK(error_of([&] { file.finish(); }).empty());
}

TEST_CASE("a pipe whose reader went away is no error") {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  ::close(ends[0]);
  Output output(ends[1], "standard output");
  output.write("x");
  CHECK_THROWS_AS(output.flush(), ClosedPipe);
  ::close(ends[1]);
}

TEST_CASE("bytes keep their order across the buffer's size") {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  std::string expected;
  OutputFile file(path, false);
  for (std::size_t i = 0; i < 30'000; ++i) {
    const std::string line = std::to_string(i) + '\n';
    file.output().write(line);
    expected += line;
  }
  file.output().write(std::string(200'000, 'x'));
  file.finish();
  CHECK(content_of(path) == expected + std::string(200'000, 'x'));
}

TEST_CASE("a file named .gz or .zst is compressed, also without any bytes") {
  const TemporaryFolder folder;
  const std::string text = "line\n" + std::string(3'000'000, 'x');
  for (const std::string name : {"out.gz", "out.zst"}) {
    for (const std::string& expected : {std::string(), text}) {
      INFO(name << " of " << expected.size() << " bytes");
      OutputFile file(folder / name, true);
      file.output().write(expected.substr(0, 5));
      file.output().flush();  // makes no member of its own
      file.output().write(expected.substr(std::min<std::size_t>(5, expected.size())));
      file.finish();
      const std::string bytes = folder.read(name);
      CHECK(bytes.size() < 10'000);
      Decompressor decompressor(compression_of(name), name);
      std::string_view left = bytes;
      std::string found;
      std::vector<char> part(100'000);
      while (const std::size_t made = decompressor.read(left, part))
        found.append(part.data(), made);
      CHECK(left.empty());
      CHECK(found == expected);
      CHECK(error_of([&] { decompressor.finish(); }).empty());
      CHECK_FALSE(bytes.empty());
    }
  }
}

}  // namespace
}  // namespace headlight::output_test
