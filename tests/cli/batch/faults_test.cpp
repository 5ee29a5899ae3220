// System calls that fail: one line, the right status, the old file whole, and a partial file that
// can be resumed. `scripts/check faults` tries every function, call and error.
#include <cerrno>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::faults_test {
namespace {

using Arguments = std::vector<std::string>;

struct FailingCommand {
  Arguments arguments;  // -o out --force follow
  bool resumes;
};

const std::vector<FailingCommand> kCommands = {
    {{"batch", "-m", "toy", "many.txt", "-q"}, true},
    {{"embed", "-m", "toy", "many.txt", "-q", "--format", "npy"}, true},
    {{"attention", "-m", "toy", "--input", "many.txt", "-q", "--stats"}, true},
    {{"attention", "-m", "toy", "--input", "many.txt", "-q", "--format", "npz"}, false},
    {{"classify", "-m", "toy", "good", "-q"}, false},
    {{"rank", "good", "many.txt", "-m", "toy", "--label", "positive", "-q"}, false},
};

Outcome run_with(const ToyPlace& place, const Arguments& arguments, const std::string& fault) {
  Command command = place.command(arguments);
  command.environment = {"LD_PRELOAD=" HEADLIGHT_FAULTS, fault};
  return run(command);
}

/// The number of calls of `function` in a run without faults.
long calls_of(const ToyPlace& place, const Arguments& arguments, const std::string& function) {
  run_with(place, arguments, "HEADLIGHT_CALLS=" + place.files() / "calls");
  std::istringstream lines(place.files().read("calls"));
  std::string name;
  long count = 0;
  while (lines >> name >> count) {
    if (name == function) return count;
  }
  return 0;
}

void check_fault(const ToyPlace& place, const FailingCommand& failing, const std::string& fault,
                 const std::string& expected) {
  INFO(failing.arguments[0] << " with " << fault);
  Arguments arguments = failing.arguments;
  arguments.insert(arguments.end(), {"-o", "out"});
  Arguments forced = arguments;
  forced.emplace_back("--force");
  place.files().write("out", "old");
  const Outcome outcome = run_with(place, forced, "HEADLIGHT_FAULT=" + fault);
  check_sane(outcome);
  CHECK((outcome.status == 0 || outcome.status == 1));
  CHECK(lines_of(outcome.err).size() == (outcome.status == 0 ? 0 : 1));
  const std::string found = place.files().read("out");
  CHECK(found == (outcome.status == 0 ? expected : "old"));
  if (outcome.status == 0 || !failing.resumes) return;
  arguments.emplace_back(place.files().has("out.partial") ? "--resume" : "--force");
  check_sane(place.run(arguments));
  CHECK(place.files().read("out") == expected);
}

}  // namespace

TEST_CASE("a system call that fails is one line, and no output is lost or wrong") {
  if (kSanitized) return;  // a sanitizer must be loaded first
  const ToyPlace place;
  std::string rows;
  for (int i = 0; i < 3000; ++i) rows += i % 2 == 0 ? "good movie a plot\n" : "bad\n";
  place.files().write("many.txt", rows);
  struct Row {
    std::string function;
    int error;
  };
  const std::vector<Row> faults = {{"write", ENOSPC},  {"write", EINTR}, {"fsync", EIO},
                                   {"rename", EACCES}, {"read", EIO},    {"read", EINTR},
                                   {"pread", EIO},     {"mmap", ENOMEM}, {"open", EACCES},
                                   {"ftruncate", EIO}, {"close", EIO},   {"pwrite", ENOSPC}};
  for (const FailingCommand& failing : kCommands) {
    Arguments arguments = failing.arguments;
    arguments.insert(arguments.end(), {"-o", "out", "--force"});
    check_sane(place.run(arguments));
    const std::string expected = place.files().read("out");
    for (const auto& [function, error] : faults) {
      const long last = calls_of(place, arguments, function);
      for (const long call : {1L, last}) {
        if (call > last || (call == 1 && last == 1 && call != last)) continue;
        check_fault(place, failing,
                    function + ":" + std::to_string(call) + ":" + std::to_string(error), expected);
      }
    }
  }
}

TEST_CASE("fit keeps the model that was there, whichever rename fails") {
  if (kSanitized) return;
  const ToyPlace place;
  std::string rows;
  for (int i = 0; i < 60; ++i) {
    rows += i % 2 == 0 ? "{\"text\": \"a fine film\", \"label\": \"good\"}\n"
                       : "{\"text\": \"a bad one\", \"label\": \"bad\"}\n";
  }
  place.files().write("labelled.jsonl", rows);
  const Arguments fit = {"fit",      "labelled.jsonl",
                         "-m",       HEADLIGHT_SOURCE "/configs/encoder-block.json",
                         "--epochs", "1",
                         "-q",       "-o",
                         "made",     "--force"};
  check_sane(place.run(fit));
  const long last = calls_of(place, fit, "rename");
  REQUIRE(last >= 2);
  for (long call = 1; call <= last; ++call) {
    CAPTURE(call);
    place.files().write("made/model.safetensors", "old");
    const std::string fault = "rename:" + std::to_string(call) + ":" + std::to_string(EIO);
    const Outcome outcome = run_with(place, fit, "HEADLIGHT_FAULT=" + fault);
    CHECK(outcome.status == 1);
    CHECK(place.files().read("made/model.safetensors") == "old");
    CHECK_FALSE(place.files().has("made.partial"));
  }
}

TEST_CASE("a system without another thread is one line with the way out") {
  if (kSanitized) return;
  const ToyPlace place;
  const std::string fault = "HEADLIGHT_FAULT=pthread_create:1:" + std::to_string(EAGAIN) + "+";
  const Arguments arguments = {"batch", "-m", "toy", "rows.txt", "-q", "--threads"};
  Arguments two = arguments;
  two.emplace_back("2");
  const Outcome refused = run_with(place, two, fault);
  if (refused.status != 0) check_refusal(refused, 1, "refuses another thread|--threads 1");
  CHECK(refused.signal == 0);
  Arguments one = arguments;
  one.emplace_back("1");
  const Outcome outcome = run_with(place, one, fault);
  CHECK(outcome.status == 0);
  CHECK(lines_of(outcome.out).size() == 2);
}

}  // namespace headlight::faults_test
