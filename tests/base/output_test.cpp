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
#include <sys/xattr.h>
#include <unistd.h>

#include "base/compression.h"
#include "base/error_of.h"
#include "base/placing.h"
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

TEST_CASE("a last field is added to a whole object, and to nothing else") {
  const TemporaryFolder folder;
  const std::string large = "{\"a\":\"" + std::string(200'000, 'x') + "\"";
  const std::vector<std::array<std::string, 2>> cases = {{"{\"a\":1}\n", "{\"a\":1,\"b\":2}\n"},
                                                         {large + "}\n", large + ",\"b\":2}\n"},
                                                         {"[{\"a\":1}]\n", "[{\"a\":1}]\n"},
                                                         {"{\"a\":1}", "{\"a\":1}"},
                                                         {"", ""}};
  for (const auto& [written, expected] : cases) {
    for (const std::string name : {"a.json", "a.json.gz"}) {
      OutputFile file(folder / name, /*force=*/true);
      file.output().hold_end();
      file.output().write(written);
      file.output().flush();
      file.output().add_field("\"b\":2");
      file.finish();
      std::string found = content_of(folder / name);
      if (name.ends_with(".gz")) {
        std::string_view rest = found;
        std::string whole(expected.size() + 10, ' ');
        whole.resize(Decompressor(Compression::gzip, name).read(rest, whole));
        found = whole;
      }
      CHECK(found == expected);
    }
  }
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
        folder / "absent/out" + ": cannot write: No such file or directory");
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

TEST_CASE(
    "a pipe with a name whose reader went away is an error, as only standard output may end") {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  ::close(ends[0]);
  Output output(ends[1], "pipe");
  output.write("x");
  CHECK(error_of([&] { output.flush(); }) == "pipe: cannot write: Broken pipe");
  ::close(ends[1]);
}

/// The error of writing "new" to `path`.
std::string error_of_writing(const std::string& path, bool force) {
  return error_of([&] {
    OutputFile file(path, force);
    file.output().write("new");
    file.finish();
  });
}

TEST_CASE("a temporary name never leads to another file") {
  const TemporaryFolder folder;
  const std::string precious = folder.write("precious", "old");
  std::filesystem::create_symlink("precious", folder / "out.partial");
  for (const bool force : {false, true}) {
    CHECK(error_of_writing(folder / "out", force) ==
          folder / "out.partial" +
              ": is a symbolic link, expected a file of this program; delete it");
  }
  CHECK(folder.has("out.partial"));
  std::filesystem::remove(folder / "out.partial");
  std::filesystem::create_hard_link(precious, folder / "out.partial");
  CHECK(error_of_writing(folder / "out", false) ==
        folder / "out.partial" +
            ": exists already; a killed run may have left it; --force replaces it");
  CHECK(folder.read("out.partial") == "old");
  CHECK(error_of_writing(folder / "out", true).empty());
  CHECK(folder.read("out") == "new");
  CHECK(folder.read("precious") == "old");
  CHECK_FALSE(folder.has("out.partial"));
  std::filesystem::create_hard_link(folder.write("empty", ""), folder / "out.partial");
  CHECK(error_of_writing(folder / "out", true).empty());
  CHECK(folder.read("empty").empty());
}

TEST_CASE("what a killed run left is replaced, where the file system has attributes") {
  const TemporaryFolder folder;
  {
    OutputFile file(folder / "out", false);
    file.output().write("half");
    file.output().flush();
    std::filesystem::create_hard_link(folder / "out.partial", folder / "left");
  }
  const std::string path = folder / "left";
  if (::getxattr(path.c_str(), "user.headlight.unfinished", nullptr, 0) < 0) return;
  std::filesystem::rename(folder / "left", folder / "out.partial");
  CHECK(error_of_writing(folder / "out", false).empty());
  CHECK(folder.read("out") == "new");
  const std::string whole = folder / "out";
  CHECK(::getxattr(whole.c_str(), "user.headlight.unfinished", nullptr, 0) < 0);
}

TEST_CASE("a file that appears under the name during a run is kept, and so is the result") {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  {
    OutputFile file(path, false);
    file.output().write("new");
    folder.write("out", "of another program");
    CHECK(error_of([&] { file.finish(); }) ==
          path + ": was created by another program during this run; the result is in " + path +
              ".partial");
  }
  CHECK(folder.read("out") == "of another program");
  CHECK(folder.read("out.partial") == "new");
}

TEST_CASE("a file that is replaced keeps its permissions") {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const fs::perms secret = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(folder.write("out", "old"), secret);
  CHECK(error_of_writing(folder / "out", true).empty());
  CHECK(fs::status(folder / "out").permissions() == secret);
  fs::permissions(folder.write("counts", "old"), secret);
  write_whole(folder / "counts", "new");
  CHECK(fs::status(folder / "counts").permissions() == secret);
  CHECK(folder.read("counts") == "new");
}

TEST_CASE(
    "a small file takes away what killed runs left of it, but for one that is being written") {
  const TemporaryFolder folder;
  const std::string left = folder.write("counts.new1", "half");
  const std::string open = folder.write("counts.new2", "half");
  const int descriptor = open_alone(open, Leftover::keep);
  mark_unfinished(descriptor, true);
  const int other = ::open(left.c_str(), O_RDONLY | O_CLOEXEC);
  mark_unfinished(other, true);
  const bool has_attributes = ::fgetxattr(other, "user.headlight.unfinished", nullptr, 0) >= 0;
  ::close(other);
  folder.write("counts.new3", "");
  write_whole(folder / "counts", "new");
  CHECK(folder.has("counts.new1") == !has_attributes);
  CHECK(!folder.has("counts.new3"));
  CHECK(folder.has("counts.new2"));
  ::close(descriptor);
  write_whole(folder / "counts", "newer");
  CHECK(folder.has("counts.new2") == !has_attributes);
  CHECK(folder.read("counts") == "newer");
  CHECK(::getxattr((folder / "counts").c_str(), "user.headlight.unfinished", nullptr, 0) < 0);
}

TEST_CASE("a small file is written beside everything that has a similar name") {
  const TemporaryFolder folder;
  folder.write("counts.new", "of somebody");
  folder.write("counts.new" + std::to_string(::getpid()), "of somebody");
  write_whole(folder / "counts", "new");
  CHECK(folder.read("counts") == "new");
  CHECK(folder.read("counts.new") == "of somebody");
  CHECK(folder.read("counts.new" + std::to_string(::getpid())) == "of somebody");
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
