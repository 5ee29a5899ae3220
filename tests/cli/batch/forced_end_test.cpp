// Runs that a signal must end while they compute one long text, and files that go away in use.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::forced_end_test {
namespace {

using Clock = std::chrono::steady_clock;
using Arguments = std::vector<std::string>;

constexpr int kTerminated = 143;

/// A toy that reads texts of any length.
void add_endless(const ToyPlace& place) {
  place.add("endless", [](OrderedJson& config) { config["max_position_embeddings"] = 10'000'000; });
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

constexpr std::chrono::milliseconds kBusy{700};  // by then it computes the long text

/// Ends a run after `wait`, or when it has written something. Checks the time.
Outcome end(Process& process, std::chrono::milliseconds wait = kBusy) {
  process.is_silent_for(wait);
  process.send(SIGTERM);
  const auto begin = Clock::now();
  Outcome outcome = process.wait();
  CHECK(Clock::now() - begin < std::chrono::milliseconds(kSanitized ? 3000 : 1000));
  CHECK(outcome.status == kTerminated);
  return outcome;
}

/// Ends a run of batch in its second row, a long text. A busy machine gets more time for the first.
Outcome end_in_second_row(const Command& command) {
  constexpr std::chrono::seconds kLongest{20};
  for (auto wait = kBusy;; wait *= 2) {
    Process process(command);
    Outcome outcome = end(process, wait);
    if (wait > kLongest || outcome.err.find("stopped after 1 row") != std::string::npos) {
      return outcome;
    }
  }
}

TEST_CASE("a signal ends a run within a second in the middle of a long text") {
  const ToyPlace place;
  add_endless(place);
  place.files().write("long.txt", "good\n" + repeated("movie ", 400'000) + "\ngood\n");
  for (const std::string threads : {"1", "2"}) {
    for (const std::string out : {"", "out", "out.gz"}) {
      INFO(threads << " threads, output " << out);
      Arguments arguments = {"batch", "-m", "endless", "long.txt", "--threads", threads};
      if (!out.empty()) arguments.insert(arguments.end(), {"-o", out, "-f"});
      const Outcome outcome = end_in_second_row(place.command(arguments));
      CHECK(outcome.err.find("stopped after 1 row") != std::string::npos);
      if (out.empty()) CHECK(lines_of(outcome.out).size() == 1);
      if (!out.empty()) CHECK(outcome.err.find("--resume") != std::string::npos);
      if (out == "out") CHECK(lines_of(place.files().read("out.partial")).size() == 1);
      if (out == "out.gz") CHECK(place.files().read("out.gz.partial").size() > 20);
      if (!out.empty()) std::filesystem::remove(place.files() / (out + ".partial"));
    }
  }
}

TEST_CASE("a signal ends every command within a second, and leaves no unfinished file") {
  const ToyPlace place;
  add_endless(place);
  place.files().write("long.txt", repeated("movie ", 400'000));
  place.files().write("long.jsonl",
                      R"({"label": "positive", "text": ")" + repeated("movie ", 400'000) + "\"}\n");
  const std::string words = repeated("good movie ", 10'000);  // an argument has a limit
  struct Row {
    Arguments arguments;
    std::string input;
  };
  const std::string text = place.files().read("long.txt");
  for (const auto& [arguments, input] : std::vector<Row>{
           {{"classify", "-m", "endless", "-o", "out"}, text + "\n"},
           {{"evaluate", "-m", "endless", "long.jsonl", "-o", "out"}, ""},
           {{"explain", "-m", "endless", words, "-o", "out"}, ""},
           {{"embed", "-m", "endless", "long.txt", "--format", "jsonl", "-o", "out"}, ""}}) {
    INFO("command: " << arguments[0]);
    Process process(place.command(arguments));
    if (!input.empty()) REQUIRE(process.write(input));
    process.close_input();
    end(process);
    CHECK_FALSE(place.files().has("out"));
    if (arguments[0] != "embed") CHECK_FALSE(place.files().has("out.partial"));
  }
}

TEST_CASE("weights that are truncated while they are used are one line") {
  const ToyPlace place;
  Process process(place.command({"batch", "-", "-v", "-m", "toy"}));
  REQUIRE(process.write("good\n"));
  REQUIRE(process.read_line());
  std::filesystem::resize_file(place.files() / "toy/model.safetensors", 0);
  REQUIRE(process.write("bad\n"));
  const Outcome outcome = process.finish();
  CHECK(outcome.signal == 0);
  CHECK(outcome.status == 1);
  CHECK(lines_of(outcome.err).back() ==
        "headlight: toy/model.safetensors: was truncated while it was in use, or its disk failed");
}

}  // namespace
}  // namespace headlight::forced_end_test
