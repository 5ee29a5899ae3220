// What an engine or a shell that starts the program relies on: pipes, signals, environments.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::pipes_test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kInterrupted = 130;
constexpr int kTerminated = 143;
constexpr double kSecond = kSanitized ? 5.0 : 1.0;

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// Rows from 0 on, none cut; gives their number.
std::size_t check_whole_rows(const std::string& out) {
  CHECK((out.empty() || out.back() == '\n'));
  const auto rows = lines_of(out);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool whole =
        rows[i].starts_with("{\"id\":" + std::to_string(i) + ",") && rows[i].back() == '}';
    if (!whole) FAIL_CHECK("row " << i << " is " << rows[i]);
  }
  return rows.size();
}

/// Sends the signal and gives what came of it, which must not take longer than a second.
Outcome stop(Process& process, int signal_number) {
  const auto begin = Clock::now();
  process.send(signal_number);
  Outcome outcome = process.wait();
  const std::chrono::duration<double> took = Clock::now() - begin;
  CHECK(took.count() < kSecond);
  check_sane(outcome);
  return outcome;
}

struct Talk {
  std::string name;
  std::vector<std::string> arguments;
  bool one_processor;
};

const std::vector<Talk> kTalks = {
    {"one thread", {"batch", "-", "-m", "toy", "--threads", "1"}, false},
    {"two threads", {"batch", "-", "-m", "toy", "--threads", "2"}, false},
    {"seven threads on one processor", {"batch", "-", "-m", "toy", "--threads", "7"}, true},
    {"classify", {"classify", "-m", "toy", "--format", "jsonl"}, false},
    {"tokenize", {"tokenize", "-m", "toy", "--format", "jsonl"}, false},
};

TEST_CASE("a program that writes one line and waits for one line gets it") {
  const ToyPlace place;
  for (const Talk& talk : kTalks) {
    INFO("case: " << talk.name);
    Command command = place.command(talk.arguments);
    command.one_processor = talk.one_processor;
    Process process(command);
    int answers = 0;
    for (int i = 0; i < 50; ++i) {
      REQUIRE(process.write(i % 2 == 0 ? "good\n" : "bad\n"));
      const auto line = process.read_line();
      REQUIRE(line);
      if (line->front() == '{' && line->back() == '}') ++answers;
    }
    CHECK(answers == 50);
    const Outcome outcome = process.finish();
    check_sane(outcome);
    CHECK(outcome.status == 0);
    CHECK(outcome.out == "");
  }
}

TEST_CASE("a line that comes in pieces is answered once it is whole") {
  const ToyPlace place;
  Process process(place.command({"batch", "-", "-m", "toy", "--echo-text"}));
  REQUIRE(process.write("\xEF"));
  REQUIRE(process.write("\xBB"));
  REQUIRE(process.write("\xBFgo"));
  CHECK(process.is_silent_for(std::chrono::milliseconds(50)));
  REQUIRE(process.write("od\r"));
  REQUIRE(process.write("\nbad"));
  const auto line = process.read_line();
  REQUIRE(line);
  CHECK(OrderedJson::parse(*line)["text"] == "good");
  const Outcome outcome = process.finish();
  CHECK(OrderedJson::parse(outcome.out)["text"] == "bad");
  CHECK(outcome.status == 0);
}

TEST_CASE("a reader that went away ends every command quietly") {
  const ToyPlace place;
  const std::vector<std::vector<std::string>> commands = {
      {"classify", "-m", "toy", "good"},
      {"batch", "-", "-m", "toy"},
      {"batch", "-", "-m", "toy", "--threads", "2"},
      {"attention", "-m", "toy", "--format", "json", "good"},
      {"explain", "-m", "toy", "good bad"},
      {"tokenize", "-m", "toy", "good"},
      {"inspect", "-m", "toy"},
      {"models"},
      {"--help"},
      {}};
  for (const auto& arguments : commands) {
    INFO("command: " << (arguments.empty() ? "none" : arguments[0]));
    Command command = place.command(arguments, repeated("good\n", 1000));
    command.out = Channel::departed;
    const Outcome outcome = run(command);
    check_sane(outcome);
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
  }
}

TEST_CASE("a reader that goes away in the middle ends a run that has more to come") {
  const ToyPlace place;
  for (const std::string threads : {"1", "2"}) {
    Process process(place.command({"batch", "-", "-m", "toy", "--threads", threads}));
    REQUIRE(process.write("good\n"));
    REQUIRE(process.read_line());
    process.close_output();
    process.write(repeated("good\n", 2000));
    const Outcome outcome = process.finish();
    check_sane(outcome);
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
  }
}

TEST_CASE("a signal ends a run that waits for input, within a second") {
  const ToyPlace place;
  for (const auto& [signal_number, status] :
       {std::pair(SIGINT, kInterrupted), std::pair(SIGTERM, kTerminated)}) {
    for (const std::string threads : {"1", "2"}) {
      Process process(place.command({"batch", "-", "-m", "toy", "--threads", threads}));
      REQUIRE(process.write("good\nbad\ngo"));
      REQUIRE(process.read_line());
      REQUIRE(process.read_line());
      const Outcome outcome = stop(process, signal_number);
      CHECK(outcome.status == status);
      CHECK(outcome.out == "");  // the line that was not whole is no row
    }
    for (const std::string name : {"classify", "tokenize", "attention"}) {
      Process process(place.command({name, "-v", "-m", "toy", "--format", "json"}));
      REQUIRE(process.says("model toy"));
      REQUIRE(process.write("good\n"));
      CHECK(stop(process, signal_number).status == status);
    }
  }
}

TEST_CASE("a signal ends a run at work within a second, with whole rows written") {
  const ToyPlace place;
  place.files().write("many.txt", repeated("good movie a plot\nbad\n", 500'000));
  for (const std::string threads : {"1", "2"}) {
    Process process(place.command({"batch", "many.txt", "-m", "toy", "--threads", threads}));
    const auto first = process.read_line();
    REQUIRE(first);
    const Outcome outcome = stop(process, SIGTERM);
    CHECK(outcome.status == kTerminated);
    const std::size_t rows = check_whole_rows(*first + "\n" + outcome.out);
    CHECK(rows < 1'000'000);
  }
}

TEST_CASE("a signal leaves what was scored in the partial file") {
  const ToyPlace place;
  Process process(place.command({"batch", "-", "-m", "toy", "-o", "out"}));
  REQUIRE(process.write("good\nbad\n"));
  const auto begin = Clock::now();
  while (lines_of(place.files().read("out.partial")).size() < 2 &&
         Clock::now() - begin < Process::kPatience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(stop(process, SIGTERM).status == kTerminated);
  CHECK_FALSE(place.files().has("out"));
  CHECK(check_whole_rows(place.files().read("out.partial")) == 2);
}

TEST_CASE("a signal leaves nothing of a file that is written whole or not at all") {
  const ToyPlace place;
  for (const int signal_number : {SIGINT, SIGTERM}) {
    Process process(place.command({"classify", "-v", "-m", "toy", "-o", "out"}));
    REQUIRE(process.says("thread"));
    REQUIRE(process.write("good\n"));
    CHECK(process.is_silent_for(std::chrono::milliseconds(50)));  // the file is open by then
    CHECK(stop(process, signal_number).status == 128 + signal_number);
    CHECK_FALSE(place.files().has("out"));
    CHECK_FALSE(place.files().has("out.partial"));
  }
}

TEST_CASE("a signal ends a run whose reader does not read, within a second") {
  const ToyPlace place;
  place.files().write("many.txt", repeated("good movie a plot\nbad\n", 100'000));
  for (const std::string threads : {"1", "2"}) {
    Command command = place.command({"batch", "many.txt", "-v", "-m", "toy", "--threads", threads});
    command.out = Channel::unread;
    Process process(command);
    REQUIRE(process.says("thread"));
    CHECK(process.is_silent_for(std::chrono::milliseconds(300)));  // the pipe is full by then
    CHECK(stop(process, SIGTERM).status == kTerminated);
  }
}

TEST_CASE("ten times the rows take no more memory") {
  if (kSanitized) return;  // a sanitizer keeps what was freed
  const ToyPlace place;
  const std::string row = "good movie a plot bad a a a\n";
  constexpr std::size_t kRows = 15'000;
  place.files().write("few.txt", repeated(row, kRows));
  place.files().write("many.txt", repeated(row, 10 * kRows));
  for (const std::string threads : {"1", "2"}) {
    const Outcome few = place.run({"batch", "few.txt", "-m", "toy", "--threads", threads});
    const Outcome many = place.run({"batch", "many.txt", "-m", "toy", "--threads", threads});
    CHECK(check_whole_rows(many.out) == 10 * kRows);
    constexpr long kKilobytes = 8L * 1024;  // the rows of many.txt in hand would take far more
    CHECK(many.peak_kilobytes < few.peak_kilobytes + kKilobytes);
  }
}

TEST_CASE("waiting for text on a terminal is said") {
  if (::access("/dev/ptmx", R_OK | W_OK) != 0 || ::access("/dev/pts", R_OK) != 0 ||
      std::filesystem::is_empty("/dev/pts")) {
    MESSAGE("no terminals can be made here");
    return;
  }
  const ToyPlace place;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"classify", "-m", "toy"}, {"batch", "-", "-m", "toy"}}) {
    Command command = place.command(arguments);
    command.in = Channel::terminal;
    Process process(command);
    REQUIRE(process.write("good\n\x04"));    // Ctrl-D
    const Outcome outcome = process.wait();  // closed, it would hang up
    check_sane(outcome);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.find("terminal") != std::string::npos);
    CHECK(lines_of(outcome.out).size() == 1);
  }
}

TEST_CASE("no environment, another locale and a directory that takes no files are all the same") {
  const ToyPlace place;
  const std::vector<std::string> arguments = {"classify", "-m",    place.files() / "toy",
                                              "--format", "jsonl", "good good bad bad İI"};
  const std::string expected = place.output(arguments);
  for (const std::vector<std::string>& environment :
       {std::vector<std::string>{},
        {"LC_ALL=tr_TR.UTF-8"},
        {"LC_ALL=C"},
        {"LANG=xx", "TZ=?"},
        {"HOME=/nowhere", "PATH=", "TMPDIR=/nowhere"},
        {"OMP_NUM_THREADS=1"},
        {"OMP_NUM_THREADS=-3", "SLURM_CPUS_PER_TASK=many"},
        {"HEADLIGHT_MODELS=:/nowhere::"}}) {
    Command command = place.command(arguments);
    command.environment = environment;
    command.directory = "/proc";  // where nobody can write
    const Outcome outcome = run(command);
    CHECK(outcome.status == 0);
    CHECK(outcome.out == expected);
    CHECK(outcome.err == "");
  }
}

TEST_CASE("the threads that were granted are said with -v") {
  const ToyPlace place;
  const auto said = [&](const std::vector<std::string>& environment, const std::string& part) {
    Command command = place.command({"batch", "-m", "toy", "-v", "rows.txt"});
    command.environment = environment;
    const Outcome outcome = run(command);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.find(part) != std::string::npos);
  };
  said({"OMP_NUM_THREADS=1"}, "1 thread");
  said({"SLURM_CPUS_PER_TASK=1"}, "1 thread");
}

}  // namespace
}  // namespace headlight::pipes_test
