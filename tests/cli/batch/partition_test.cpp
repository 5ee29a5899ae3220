// What an engine relies on that starts the program once for each partition of a table.
#include <chrono>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::partition_test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kAtOnce = kSanitized ? 5.0 : 1.0;  // seconds
constexpr std::size_t kKept = 2048;                 // bytes of standard error

const std::vector<std::string> kPartition = {
    "batch", "-", "-m", "toy", "--input-format", "jsonl", "--row-errors-ok"};

std::vector<std::string> partition(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = kPartition;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Rows with ids of their own; every ninth cannot be scored.
std::vector<std::string> identified_rows(std::size_t count) {
  const std::vector<std::string> words = {"good", "bad", "movie", "a", "plot", "strange"};
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string id = R"({"id":"r)" + std::to_string(i) + R"(",)";
    std::string text = words[i % words.size()];
    for (std::size_t word = 0; word < i % 13; ++word)
      text += " " + words[(i * word) % words.size()];
    rows.push_back(id + (i % 9 == 4 ? R"("text":5})" : R"("text":")" + text + "\"}"));
  }
  return rows;
}

/// Lines `begin` to `end`, each with its LF.
std::string joined(const std::vector<std::string>& lines, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end && i < lines.size(); ++i) text += lines[i] + "\n";
  return text;
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string of_process(const Process& process, const std::string& name) {
  return contents("/proc/" + std::to_string(process.id()) + "/" + name);
}

int threads_of(const Process& process) {
  const std::string status = of_process(process, "status");
  const std::string mark = "Threads:";
  return std::stoi(status.substr(status.find(mark) + mark.size()));
}

/// Ticks that it ran, in user mode and in the kernel: fields 14 and 15, the second being a name in
/// brackets.
long ticks_of(const Process& process) {
  const std::string all = of_process(process, "stat");
  std::istringstream fields(all.substr(all.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  long user = 0;
  long kernel = 0;
  fields >> user >> kernel;
  return user + kernel;
}

TEST_CASE("a thousand questions are answered one by one, with standard error closed") {
  const ToyPlace place;
  constexpr std::size_t kQuestions = 1000;
  const auto rows = identified_rows(kQuestions);
  for (const std::string threads : {"1", "2"}) {
    Command command = place.command(partition({"--threads", threads}));
    command.err = Channel::closed;  // and nothing in the environment
    Process process(command);
    std::size_t answered = 0;
    for (std::size_t i = 0; i < kQuestions; ++i) {
      REQUIRE(process.write(rows[i] + "\n"));
      const auto answer = process.read_line();
      REQUIRE(answer);
      if (answer->starts_with(R"({"id":"r)" + std::to_string(i) + "\",")) ++answered;
    }
    CHECK(answered == kQuestions);
    const Outcome outcome = process.finish();
    CHECK(outcome.complaint() == "");
    CHECK(outcome.status == 0);
    CHECK(outcome.out == "");
  }
}

TEST_CASE("partitions of any size, and those that are tried again, join to the whole") {
  const ToyPlace place;
  constexpr std::size_t kRows = 600;
  const auto rows = identified_rows(kRows);
  const std::vector<std::string> options = {"--logits", "--echo-text"};
  const auto scored = [&](std::size_t begin, std::size_t end) {
    const Outcome outcome = place.run(partition(options), joined(rows, begin, end));
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  const std::string whole = scored(0, kRows);
  CHECK(lines_of(whole).size() == kRows);
  for (const std::size_t size : {kRows, kRows / 2, kRows / 7}) {
    std::string parts;
    for (std::size_t begin = 0; begin < kRows; begin += size) parts += scored(begin, begin + size);
    const bool same = parts == whole;
    CHECK(same);
  }
}

TEST_CASE("a partition without rows ends at once, and so does one without an input") {
  const ToyPlace place;
  for (const Channel in : {Channel::pipe, Channel::departed}) {
    Command command = place.command(kPartition);
    command.in = in;
    const auto begin = Clock::now();
    const Outcome outcome = run(command);
    const std::chrono::duration<double> took = Clock::now() - begin;
    check_sane(outcome);
    CHECK(took.count() < kAtOnce);
    CHECK(outcome.status == 0);
    CHECK(outcome.out == "");
  }
}

TEST_CASE("what is said about thousands of rows is short, and its last line is what counts") {
  const ToyPlace place;
  const std::string good = R"({"text":"good"})";
  const std::string bad = R"({"text":")" + std::string(5000, 'x') + R"(","id":[1]})";
  const std::vector<std::string> rows = {good, bad, "nope", "\xFF\xFE\x1B[2J"};
  std::string input;
  for (std::size_t i = 0; i < 4000; ++i) input += rows[i % rows.size()] + "\n";
  struct Case {
    std::vector<std::string> options;
    int status;
    std::string reason;
  };
  const std::vector<Case> cases = {
      {{}, 0, "3000 of 4000 rows|row 1"},
      {{"--max-length", "1"}, 0, "3000 of 4000 rows"},
      {{"-m", "absent"}, 1, "absent"},
      {{"--text", std::string(5000, 'y')}, 0, "4000 of 4000 rows"},
      {{"--nonsense"}, 2, "--nonsense"},
  };
  for (const Case& row : cases) {
    CAPTURE(row.reason);
    std::vector<std::string> arguments = partition(row.options);
    if (!row.options.empty() && row.options[0] == "-m")
      arguments.erase(arguments.begin() + 2, arguments.begin() + 4);
    const Outcome outcome = place.run(arguments, input);
    check_last_reason(outcome, row.status, row.reason);
    CHECK(outcome.err.size() <= kKept);
  }
}

TEST_CASE("there is one thread when one is told, and nothing runs while it waits") {
  if (kSanitized) return;  // a sanitizer has threads of its own
  const ToyPlace place;
  for (const std::string threads : {"1", "2"}) {
    Process process(place.command(partition({"--threads", threads})));
    REQUIRE(process.write("{\"text\":\"good\"}\n"));
    REQUIRE(process.read_line());
    if (threads == "1") CHECK(threads_of(process) == 1);
    const long before = ticks_of(process);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    CHECK(ticks_of(process) - before <= 1);  // of about a hundred
    CHECK(process.finish().status == 0);
  }
}

TEST_CASE("weights are mapped read-only, so that processes share one copy") {
  const ToyPlace place;
  Process process(place.command(kPartition));
  REQUIRE(process.write("{\"text\":\"good\"}\n"));
  REQUIRE(process.read_line());
  std::vector<std::string> mappings;
  for (const std::string& line : lines_of(of_process(process, "maps"))) {
    if (line.ends_with("/toy/model.safetensors")) mappings.push_back(line);
  }
  CHECK_FALSE(mappings.empty());
  for (const std::string& line : mappings) CHECK(line.find(" r--") != std::string::npos);
  CHECK(process.finish().status == 0);
}

}  // namespace
}  // namespace headlight::partition_test
