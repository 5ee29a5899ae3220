// The progress of runs that take seconds: one line on a terminal, nothing elsewhere unasked.
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "cli/process.h"
#include "cli/toy_place.h"

namespace headlight::progress_test {
namespace {

/// What `command` writes to standard error if it gets a row now and then, for a second in all.
std::string said(const Command& command, const std::string& row) {
  Process process(command);
  for (int i = 0; i < 4; ++i) {
    REQUIRE(process.write(row));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  return process.finish().err;
}

std::string said_by_batch(const ToyPlace& place, Channel channel,
                          const std::vector<std::string>& options = {}) {
  std::vector<std::string> arguments = {"batch", "-", "-m", "toy"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  Command command = place.command(arguments);
  command.err = channel;
  return said(command, "good\n");
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("progress is one line on a terminal, gone at the end, and nothing in a pipe") {
  const ToyPlace place;
  const std::string drawn = said_by_batch(place, Channel::terminal);
  // How many rows are scored when the line is drawn depends on how fast the program starts.
  CHECK((contains(drawn, "\r2 rows, ") || contains(drawn, "\r3 rows, ") ||
         contains(drawn, "\r4 rows, ")));
  CHECK(contains(drawn, " per second"));
  const std::size_t erased = drawn.rfind("\r\x1B[K");
  REQUIRE(erased != std::string::npos);
  CHECK(contains(drawn.substr(erased), "headlight: 4 rows scored"));
  CHECK(said_by_batch(place, Channel::terminal, {"--quiet"}) == "");
  CHECK_FALSE(contains(said_by_batch(place, Channel::terminal, {"--progress", "never"}), "\x1B"));
  CHECK(said_by_batch(place, Channel::pipe) == "headlight: 4 rows scored\n");
}

TEST_CASE("rows on the terminal are not mixed with a line that is redrawn") {
  const ToyPlace place;
  Command command = place.command({"batch", "-", "-m", "toy"});
  command.out = Channel::terminal;
  command.err = Channel::terminal;
  CHECK_FALSE(contains(said(command, "good\n"), "\r3 rows"));
}

TEST_CASE("evaluate shows its progress") {
  const ToyPlace place;
  Command command = place.command({"evaluate", "-", "-m", "toy", "--input-format", "jsonl"});
  command.err = Channel::terminal;
  const std::string drawn = said(command, "{\"text\": \"good\", \"label\": \"positive\"}\n");
  CHECK(contains(drawn, "rows, "));
  CHECK(contains(drawn, "\r\x1B[K"));
}

TEST_CASE("explain shows how many of its texts are scored, and the time left") {
  const ToyPlace place;
  place.output({"init", HEADLIGHT_SOURCE "/configs/encoder-block.json", "-o", "encoder", "-q"});
  std::string text;
  const std::size_t words = kSanitized ? 20 : 60;
  for (std::size_t i = 0; i < words; ++i) text += "a b ";
  Command command = place.command({"explain", "-m", "encoder", "--order", "2", text});
  command.err = Channel::terminal;
  const Outcome outcome = run(command);
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.err, "\r["));
  CHECK(contains(outcome.err, " left"));
  CHECK(contains(outcome.err, " texts, "));
}

}  // namespace
}  // namespace headlight::progress_test
