// No command overwrites a file that it was not asked to replace, on whatever way to its output.
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::protected_outputs_test {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

/// Longer than a run takes from its first note to the open output.
constexpr std::chrono::milliseconds kOpening{kSanitized ? 3000 : 100};

const std::vector<Arguments> kWriters = {
    {"classify", "-m", "toy", "good", "-o", "out"},
    {"batch", "-m", "toy", "rows.txt", "-o", "out"},
    {"embed", "-m", "toy", "rows.txt", "--format", "npy", "-o", "out"},
    {"rank", "good", "rows.txt", "-m", "toy", "--label", "positive", "-o", "out"},
    {"attention", "-m", "toy", "good", "--format", "svg", "-o", "out"},
};

TEST_CASE("a link or a file under the temporary name of an output is kept") {
  const ToyPlace place;
  for (const Arguments& writer : kWriters) {
    INFO("command: " << writer[0]);
    place.files().write("precious", "old");
    fs::create_symlink("precious", place.files() / "out.partial");
    check_last_reason(place.run(writer), 1, "out.partial: is a symbolic link");
    CHECK(place.files().read("precious") == "old");
    fs::remove(place.files() / "out.partial");
    place.files().write("out.partial", "of somebody");
    check_last_reason(place.run(writer), 1, "out.partial: |--force");
    CHECK(place.files().read("out.partial") == "of somebody");
    fs::remove(place.files() / "out.partial");
  }
}

TEST_CASE("--summary replaces a summary, and another file only with --force") {
  const ToyPlace place;
  const auto summarize = [&](const std::string& file, const Arguments& more = {}) {
    Arguments arguments = {"batch", "-m", "toy", "rows.txt", "-q", "--summary", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.run(arguments);
  };
  for (const std::string name : {"counts.json", "counts.json.gz", "counts.json.zst"}) {
    INFO(name);
    CHECK(summarize(name).status == 0);
    const std::string first = place.files().read(name);
    CHECK(summarize(name).status == 0);
    CHECK(place.files().read(name).size() + 20 > first.size());
    place.files().write(name, "a note");
    check_refusal(summarize(name), 1, name + ": exists already and is not a summary|--force");
    CHECK(place.files().read(name) == "a note");
    CHECK(summarize(name, {"-o", "out", "--force"}).status == 0);
    CHECK(place.files().read(name) != "a note");
    place.files().write(name, "");
    CHECK(summarize(name).status == 0);
  }
}

TEST_CASE("a file that another program creates during a run is kept") {
  const ToyPlace place;
  for (const std::string name : {"classify", "batch"}) {
    INFO("command: " << name);
    Arguments arguments = {name, "-v", "-m", "toy", "-o", "out"};
    if (name == "batch") arguments.emplace_back("-");
    Process process(place.command(arguments));
    REQUIRE(process.write("good\n"));
    REQUIRE(process.says("thread"));
    CHECK(process.is_silent_for(kOpening));  // the output is open by then
    place.files().write("out", "of another program");
    const Outcome outcome = process.finish();
    CHECK(outcome.status == 1);
    CHECK(lines_of(outcome.err).back().find("created by another program") != std::string::npos);
    CHECK(place.files().read("out") == "of another program");
    CHECK(place.files().read("out.partial").find("positive") != std::string::npos);
    for (const char* left : {"out", "out.partial", "out.partial.json"}) {
      fs::remove(place.files() / left);
    }
  }
}

TEST_CASE("an output on a pipe with a name whose reader leaves is an error") {
  const ToyPlace place;
  const std::string path = place.files() / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  for (const std::string command : {"batch", "classify"}) {
    const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    REQUIRE(reader >= 0);
    Arguments arguments = {command, "-v", "-m", "toy", "-o", "pipe"};
    if (command == "batch") arguments.emplace_back("-");
    Process process(place.command(arguments));
    REQUIRE(process.says("thread"));
    CHECK(process.is_silent_for(kOpening));  // the pipe is open by then
    ::close(reader);
    REQUIRE(process.write("good\n"));
    const Outcome outcome = process.finish();
    CHECK(outcome.status == 1);
    CHECK(lines_of(outcome.err).back().find("pipe: cannot write: Broken pipe") !=
          std::string::npos);
  }
}

TEST_CASE("rows of an input that changed anywhere are not mixed") {
  const ToyPlace place;
  std::string rows;
  for (int i = 0; i < 50'000; ++i) rows += "good\n";
  place.files().write("many.txt", rows);
  const Arguments arguments = {"batch", "-m", "toy", "many.txt", "-o", "out", "-q"};
  Command command = place.command(arguments);
  command.largest_file = 200'000;  // the disk is full
  CHECK(run(command).status == 1);
  REQUIRE(place.files().has("out.partial"));
  rows.replace(rows.size() - 5, 5, "bad  ");
  place.files().write("many.txt", rows);
  Arguments resumed = arguments;
  resumed.emplace_back("--resume");
  check_last_reason(place.run(resumed), 1, "another input: its content was xxh3");
}

TEST_CASE("a disk without room for one row keeps none, and the message does not say so") {
  const ToyPlace place;
  Command command = place.command({"batch", "-m", "toy", "rows.txt", "-o", "out"});
  command.environment = {"LD_PRELOAD=" HEADLIGHT_FAULTS, "HEADLIGHT_FAULT=write:2:28+"};
  if (kSanitized) return;
  const Outcome outcome = run(command);
  CHECK(outcome.status == 1);
  CHECK(outcome.err.find("No space left") != std::string::npos);
  CHECK(outcome.err.find("are kept") == std::string::npos);
  CHECK_FALSE(place.files().has("out.partial"));
}

TEST_CASE("columns that are kept cost time in proportion to their number") {
  const ToyPlace place;
  constexpr int kColumns = 100'000;
  std::string csv = "text";
  std::string cells = "good";
  std::string json = R"({"text":"good")";
  for (int i = 0; i < kColumns; ++i) {
    csv += ",c" + std::to_string(i);
    cells += ",x";
    json += ",\"c" + std::to_string(i) + "\":1";
  }
  json += "}\n";
  place.files().write("wide.csv", csv + "\n" + cells + "\n" + cells + "\n" + cells + "\n");
  place.files().write("wide.jsonl", json + json + json);
  for (const std::string file : {"wide.csv", "wide.jsonl"}) {
    for (const std::string format : {"csv", "jsonl"}) {
      INFO(file << " to " << format);
      const auto begin = std::chrono::steady_clock::now();
      const Outcome outcome =
          place.run({"batch", "-m", "toy", file, "--keep", "--format", format, "-q"});
      CHECK(outcome.complaint() == "");
      CHECK(outcome.status == 0);
      if (!kSanitized) CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
    }
  }
}

}  // namespace
}  // namespace headlight::protected_outputs_test
