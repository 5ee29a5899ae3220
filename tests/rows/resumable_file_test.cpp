#include "rows/resumable_file.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error_of.h"
#include "base/hash.h"
#include "base/temporary_folder.h"
#include "sanitized.h"

namespace headlight::resumable_file_test {
namespace {

const RowShape kShape{RowFormat::jsonl, false, std::nullopt, "error"};
const std::vector<std::string> kEndings = {"", ".gz", ".zst"};

Origin origin() {
  Origin origin;
  origin.program = "1.0";
  origin.options = {{"--text", "body"}};
  origin.model = {{"config.json", mark_of("{}")}};
  origin.input = {{"size", "5 bytes"}};
  origin.arithmetic = "packed kernels";
  return origin;
}

std::string row(std::size_t number) {
  return "{\"id\":" + std::to_string(number) + ",\"text\":\"" +
         std::string(20 + number * number % 4000, static_cast<char>('a' + number % 26)) + "\"" +
         (number % 10 == 3 ? ",\"error\":\"no\"" : "") + "}\n";
}

std::unique_ptr<ResumableFile> open(const std::string& path, Earlier earlier,
                                    const Origin& from = origin()) {
  WholeRowFinder finder(kShape);
  return std::make_unique<ResumableFile>(path, earlier, from, finder);
}

void write_rows(ResumableFile& file, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) file.write(row(i));
}

/// The bytes of a run that was never stopped.
std::string undisturbed(const std::string& ending, std::size_t rows) {
  const TemporaryFolder folder;
  const std::string path = folder / ("out" + ending);
  const auto file = open(path, Earlier::refuse);
  write_rows(*file, 0, rows);
  file->finish();
  return content_of(path);
}

TEST_CASE("a file that is written at once holds its rows, and nothing is left beside it") {
  for (const std::string& ending : kEndings) {
    const TemporaryFolder folder;
    const std::string path = folder / ("out" + ending);
    const auto file = open(path, Earlier::resume);
    CHECK_FALSE(file->is_finished());
    CHECK(file->earlier_rows().rows == 0);
    CHECK(std::filesystem::exists(path + ".partial.json"));
    file->write(row(0));
    file->finish();
    const std::string found = content_of(path);
    CHECK(found == compressed_member(compression_of(path), row(0)));
    CHECK_FALSE(std::filesystem::exists(path + ".partial"));
    CHECK_FALSE(std::filesystem::exists(path + ".partial.json"));
  }
}

TEST_CASE("a file of no rows is empty, and a compressed one a member of nothing") {
  for (const std::string& ending : kEndings) {
    CHECK(undisturbed(ending, 0) == compressed_member(compression_of(ending), ""));
  }
}

TEST_CASE("a file that was cut anywhere ends as one that never was") {
  constexpr std::size_t kRows = 1500;  // about 3 MiB, more than two members
  for (const std::string& ending : kEndings) {
    INFO("ending: " << ending);
    const std::string expected = undisturbed(ending, kRows);
    const TemporaryFolder folder;
    const std::string path = folder / ("out" + ending);
    std::size_t seed = 1;
    for (std::size_t attempt = 0; attempt < 40; attempt += kCaseStep) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      {
        const auto file = open(path, Earlier::replace);
        write_rows(*file, 0, seed % kRows);
      }
      const std::string written = content_of(path + ".partial");
      const std::size_t size = seed % 3 == 0 ? written.size() : (seed / 7) % (written.size() + 1);
      const std::string zeros(seed % 5 == 0 ? seed % 9000 : 0, '\0');
      folder.write("out" + ending + ".partial", written.substr(0, size) + zeros);
      for (const std::size_t more : {std::size_t{3}, kRows}) {  // stopped once more on the way
        const auto file = open(path, Earlier::resume);
        const std::size_t there = file->earlier_rows().rows;
        CHECK(there <= seed % kRows + 3);
        CHECK(file->earlier_rows().errors == (there + 6) / 10);
        write_rows(*file, there, std::min(kRows, there + more));
        if (more == kRows) file->finish();
      }
      CHECK((content_of(path) == expected));
      std::filesystem::remove(path);
    }
  }
}

TEST_CASE("of a member that is damaged no row is believed, however much it looks like one") {
  const std::string line = R"({"id":7,"text":"the same again and again"})"
                           "\n";
  std::string rows;
  for (std::size_t i = 0; i < 1000; ++i) rows += line;
  for (const std::string ending : {".gz", ".zst"}) {
    const TemporaryFolder folder;
    const std::string path = folder / ("out" + ending);
    const std::string member = compressed_member(compression_of(path), rows);
    for (std::size_t lost = 1; lost < member.size(); lost += kCaseStep) {
      for (const std::size_t zeros : {std::size_t{0}, lost, std::size_t{5000}}) {
        if (zeros >= lost && member.ends_with(std::string(lost, '\0'))) continue;  // restored
        open(path, Earlier::replace)->write(row(0));
        folder.write("out" + ending + ".partial",
                     member.substr(0, member.size() - lost) + std::string(zeros, '\0'));
        CHECK(open(path, Earlier::resume)->earlier_rows().rows == 0);
      }
    }
  }
}

TEST_CASE(
    "at most what makes no full member is lost of a compressed file, and nothing of a stopped "
    "one") {
  for (const std::string& ending : kEndings) {
    const TemporaryFolder folder;
    const std::string path = folder / ("out" + ending);
    {
      const auto file = open(path, Earlier::refuse);
      write_rows(*file, 0, 1234);
    }
    CHECK(open(path, Earlier::resume)->earlier_rows().rows == 1234);
    CHECK(open(path, Earlier::resume)->earlier_rows().rows == 1234);
  }
}

TEST_CASE("rows after those of a finished file give the file of all rows, also after a kill") {
  constexpr std::size_t kRows = 1500;
  for (const std::string& ending : kEndings) {
    const std::string expected = undisturbed(ending, kRows);
    for (const std::size_t before : {std::size_t{0}, std::size_t{9}, std::size_t{1100}}) {
      const TemporaryFolder folder;
      const std::string path = folder.write("out" + ending, undisturbed(ending, before));
      Origin grown = origin();
      grown.input["size"] = "9 bytes";
      for (const std::size_t end : {std::size_t{1200}, kRows}) {  // stopped on the way
        WholeRowFinder finder(kShape);
        ResumableFile file(path, Earlier::append, grown, finder);
        CHECK(file.is_finished() == (end != kRows));
        if (file.is_finished()) {
          file.extend(finder);
          file.describe(grown);
        }
        CHECK(file.earlier_rows().rows == (end == kRows ? 1200 : before));
        write_rows(file, file.earlier_rows().rows, end);
        if (end == kRows) file.finish();
      }
      CHECK((content_of(path) == expected));
      folder.write("out" + ending + ".partial", expected);  // of another origin, or without one
      CHECK(open(path, Earlier::append)->is_finished());
    }
  }
}

TEST_CASE("what stands there is refused, gone on with, or replaced") {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  const std::string partial = path + ".partial";
  const auto refusal = [&](Earlier earlier) { return error_of([&] { open(path, earlier); }); };
  open(path, Earlier::refuse)->write(row(0));
  CHECK(refusal(Earlier::refuse) == partial +
                                        ": contains rows of a stopped run; --resume continues it, "
                                        "--force starts over");
  CHECK(open(path, Earlier::resume)->earlier_rows().rows == 1);
  {
    const auto file = open(path, Earlier::replace);
    CHECK(file->earlier_rows().rows == 0);
    CHECK(content_of(partial).empty());
    file->write(row(7));
    file->finish();
  }
  CHECK(content_of(path) == row(7));
  CHECK(refusal(Earlier::refuse) == path + ": exists already; --force replaces it");
  CHECK(open(path, Earlier::resume)->is_finished());
  CHECK(content_of(path) == row(7));
  open(path, Earlier::replace)->write(row(8));
  CHECK(content_of(path) == row(7));  // until the new one is whole
  {
    const auto file = open(path, Earlier::resume);
    CHECK(file->earlier_rows().rows == 1);
    file->finish();
  }
  CHECK(content_of(path) == row(8));
  folder.write("out.partial", "");  // of a run that was killed before it began to replace
  CHECK(open(path, Earlier::resume)->is_finished());
  CHECK(content_of(path) == row(8));
  folder.write("out.partial", "");
  folder.write("out.partial.json", to_json(origin()));  // and after
  CHECK_FALSE(open(path, Earlier::resume)->is_finished());
  std::filesystem::remove(path);
  open(path, Earlier::refuse);  // a run without rows leaves nothing
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a file that another run writes is refused, whatever is asked for") {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  const auto first = open(path, Earlier::refuse);
  first->write(row(0));
  first->flush();
  for (const Earlier earlier : {Earlier::refuse, Earlier::resume, Earlier::replace}) {
    CHECK(error_of([&] { open(path, earlier); }) ==
          path + ".partial: is being written by another run");
  }
  CHECK(content_of(path + ".partial") == row(0));
}

TEST_CASE("rows of another origin are not gone on with, and the difference is named") {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  open(path, Earlier::refuse)->write(row(0));
  struct Row {
    std::function<void(Origin&)> change;
    std::string difference;
  };
  for (const auto& [change, difference] : std::vector<Row>{
           {[](Origin& now) { now.program = "1.1"; },
            "was written by build 1.0; this is build 1.1, and --accept-build goes on with it"},
           {[](Origin& now) { now.options["--logits"] = "given"; },
            "was written without --logits; this run uses --logits"},
           {[](Origin& now) { now.options.clear(); },
            "was written with --text body; this run does not use --text"},
           {[](Origin& now) { now.options["--text"] = "title"; },
            "was written with --text body; this run uses --text title"},
           {[](Origin& now) { now.model["config.json"] = "3 bytes"; },
            "was written with another model: config.json was " + mark_of("{}") +
                " and is now 3 bytes"},
           {[](Origin& now) { now.model["calibration.json"] = "3 bytes"; },
            "was written with another model: calibration.json was missing and is now 3 bytes"},
           {[](Origin& now) { now.input["size"] = "6 bytes"; },
            "was written for another input: its size was 5 bytes and is now 6 bytes"},
           {[](Origin& now) { now.input.clear(); },
            "was written for another input: its size was 5 bytes and is now unknown"},
           {[](Origin& now) { now.arithmetic = "openblas kernels"; },
            "was written with packed kernels; this run uses openblas kernels"}}) {
    Origin now = origin();
    change(now);
    CHECK(error_of([&] { open(path, Earlier::resume, now); }) ==
          path + ".partial " + difference + "; --force starts over");
  }
  CHECK(open(path, Earlier::resume)->earlier_rows().rows == 1);
}

TEST_CASE("an origin with bytes that are no text is the same origin") {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  Origin odd = origin();
  odd.options["--template"] = "\xFF";
  open(path, Earlier::refuse, odd)->write(row(0));
  CHECK(open(path, Earlier::resume, odd)->earlier_rows().rows == 1);
}

TEST_CASE("rows whose origin is not known are not gone on with") {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.partial", row(0));
  const std::string whole = path.substr(0, path.size() - 8);
  CHECK(error_of([&] { open(whole, Earlier::resume); }) ==
        path + ": cannot be resumed without " + path +
            ".json, which is missing; --force starts over");
  folder.write("out.partial.json", "{\"headlight\":");
  CHECK(error_of([&] { open(whole, Earlier::resume); }).starts_with(path + ".json: "));
  CHECK(content_of(path) == row(0));
  std::filesystem::remove(path + ".json");
  folder.write("out.partial", row(0) + "{\"id");  // nothing is cut off of what may be somebody's
  CHECK(error_of([&] { open(whole, Earlier::resume); }).find("which is missing") !=
        std::string::npos);
  CHECK(content_of(path) == row(0) + "{\"id");
  folder.write("out.partial", std::string(100, '\0'));  // where there are no rows nothing is lost
  CHECK(open(whole, Earlier::resume)->earlier_rows().rows == 0);
}

TEST_CASE("files of others beside the output are kept") {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  folder.write("out.partial.json", "{\"mine\": 1}");
  for (const Earlier earlier : {Earlier::refuse, Earlier::resume}) {
    CHECK(error_of([&] { open(path, earlier); }) ==
          path + ".partial.json: exists already and does not describe rows of a stopped run; " +
              "rename it, or choose another output");
  }
  folder.write("out", row(0));
  CHECK(open(path, Earlier::resume)->is_finished());
  CHECK(folder.read("out.partial.json") == "{\"mine\": 1}");
  folder.write("precious", "old");
  std::filesystem::create_symlink("precious", folder / "link.partial");
  for (const Earlier earlier : {Earlier::refuse, Earlier::resume, Earlier::replace}) {
    CHECK(error_of([&] { open(folder / "link", earlier); }).find("symbolic link") !=
          std::string::npos);
  }
  CHECK(folder.read("precious") == "old");
}

TEST_CASE("rows are kept beside a file that appears under the name during a run") {
  const TemporaryFolder folder;
  const std::string path = folder / "out";
  {
    const auto file = open(path, Earlier::refuse);
    file->write(row(0));
    folder.write("out", "of another program");
    CHECK(error_of([&] { file->finish(); }) ==
          path + ": was created by another program during this run; the rows are kept in " + path +
              ".partial, and --resume replaces the file");
  }
  CHECK(folder.read("out") == "of another program");
  const auto file = open(path, Earlier::resume);
  CHECK(file->earlier_rows().rows == 1);
  file->finish();
  CHECK(folder.read("out") == row(0));
}

TEST_CASE("an input is known by all its bytes, and reading it does not move its position") {
  const TemporaryFolder folder;
  std::string bytes(3'000'000, 'a');
  const auto marks = [&] {
    const int descriptor = ::open(folder.write("in", bytes).c_str(), O_RDONLY | O_CLOEXEC);
    const auto found = marks_of_input(descriptor, "in");
    CHECK(::lseek(descriptor, 0, SEEK_CUR) == 0);
    ::close(descriptor);
    return found;
  };
  const auto before = marks();
  CHECK(before.at("size") == "3000000 bytes");
  CHECK(before.at("content") == "xxh3 " + hash_of(bytes));
  bytes[2'999'999] = 'b';
  CHECK(marks().at("content") != before.at("content"));
}

TEST_CASE("devices are written directly, and cannot be resumed") {
  const auto file = open("/dev/null", Earlier::refuse);
  CHECK_FALSE(file->can_be_resumed());
  file->write(row(0));
  file->finish();
  const auto full = open("/dev/full", Earlier::refuse);
  full->write(row(0));
  CHECK(error_of([&] { full->finish(); }) == "/dev/full: cannot write: No space left on device");
}

}  // namespace
}  // namespace headlight::resumable_file_test
