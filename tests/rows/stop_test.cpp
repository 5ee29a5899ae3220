// Signals are remembered for the life of a process, so each of these runs in one of its own.
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "classifier/classifier.h"
#include "classifier/small_models.h"
#include "rows/line_reader.h"
#include "rows/listed_rows.h"
#include "rows/pipe.h"
#include "rows/predict.h"
#include "rows/row_reader.h"
#include "rows/scoring.h"

namespace headlight::stop_test {
namespace {

constexpr unsigned kPatience = 10;  // seconds until a reader that waits for ever is ended

/// Whether `proof` holds in a child process.
template <typename Proof>
bool holds_in_a_child(Proof proof) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(kPatience);
    ::_exit(proof() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

TEST_CASE("a signal ends the input, also one that comes while a line is waited for") {
  for (const int number : {SIGINT, SIGTERM}) {
    CHECK(holds_in_a_child([=] {
      watch_signals();
      const Pipe pipe;
      pipe.write("whole\nhalf");
      ByteSource source(pipe.reader(), "f");
      LineReader reader(source);
      std::string line;
      const bool first = reader.next(line) == LineReader::Status::line && caught_signal() == 0;
      std::raise(number);
      return first && reader.next(line) == LineReader::Status::end && caught_signal() == number;
    }));
    CHECK(holds_in_a_child([=] {
      watch_signals();
      const pid_t waiting = ::getpid();
      if (::fork() == 0) {
        ::usleep(50'000);
        ::kill(waiting, number);
        ::_exit(0);
      }
      const Pipe pipe;
      ByteSource source(pipe.reader(), "f");
      LineReader reader(source);
      std::string line;
      return reader.next(line) == LineReader::Status::end && caught_signal() == number;
    }));
  }
}

TEST_CASE("a requested stop wakes a reader as a signal does, but is none") {
  CHECK(holds_in_a_child([] {
    watch_signals();
    const Pipe pipe;
    ByteSource source(pipe.reader(), "f");
    LineReader reader(source);
    request_stop();
    std::string line;
    return stop_requested() && reader.next(line) == LineReader::Status::end && caught_signal() == 0;
  }));
}

constexpr int kProven = 42;  // exit status; where no test case is found it is 0

/// Whether the part of a test case, which is skipped otherwise, is proven by a new process. Threads
/// of this one would be missing in a copy of it.
bool is_proven_alone(const std::string& test, const std::string& part) {
  const std::string chosen = "--test-case=" + test;
  const std::string subcase = "--subcase=" + part;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(kPatience);
    ::execl("/bin/sh", "sh", "-c", "exec " HEADLIGHT_EMULATOR R"( "$0" "$@")", program.c_str(),
            "--no-skip", chosen.c_str(), subcase.c_str(), nullptr);
    ::_exit(1);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == kProven;
}

/// Leaves the process with what `proof` says of one way to score.
template <typename Proof>
void prove_of_one_way(const Proof& proof) {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  const Classifier classifier(model, {});
  const auto prove = [&](const RowPace& pace, const auto& score) {
    ::_exit(proof(pace, score) ? kProven : 1);
  };
  SUBCASE("plain on 1 thread") { prove({1}, predict_with(classifier)); }
  SUBCASE("plain on 2 threads") { prove({2}, predict_with(classifier)); }
  SUBCASE("traced on 1 thread") { prove({1, 1}, predict_with_attention(classifier)); }
  SUBCASE("traced on 2 threads") { prove({2, 1}, predict_with_attention(classifier)); }
}

void check_of_each_way(const std::string& test) {
  for (const char* part :
       {"plain on 1 thread", "plain on 2 threads", "traced on 1 thread", "traced on 2 threads"}) {
    CAPTURE(part);
    CHECK(is_proven_alone(test, part));
  }
}

/// The sink is a full disk, or a pipe whose reader went away. The pipe of the input stays open:
/// nothing but a stop ends it.
template <typename Result>
bool failing_sink_wakes_reader(const RowPace& pace, const ScoreTexts<Result>& score) {
  watch_signals();
  const Pipe pipe;
  pipe.write("good\n");
  RowReader reader(pipe.reader(), "f", {});
  try {
    score_rows<Result>(pace, reader, score,
                       {[](const auto&) { throw std::runtime_error("cannot write"); }});
  } catch (const std::runtime_error& error) {
    return std::string(error.what()) == "cannot write" && caught_signal() == 0;
  }
  return false;
}

TEST_CASE("alone: a failing sink wakes the reader" * doctest::skip()) {
  prove_of_one_way([](const RowPace& pace, const auto& score) {
    return failing_sink_wakes_reader(pace, score);
  });
}

TEST_CASE("a sink that fails wakes the reader that waits for more rows") {
  check_of_each_way("alone: a failing sink wakes the reader");
}

/// The signal comes where the third row is written.
template <typename Result>
bool signal_ends_rows(const RowPace& pace, const ScoreTexts<Result>& score) {
  watch_signals();
  const Pipe pipe;
  for (int i = 0; i < 500; ++i) pipe.write("good bad\n");
  RowReader reader(pipe.reader(), "f", {});
  std::size_t written = 0;
  bool in_order = true;
  score_rows<Result>(pace, reader, score, {[&](const auto& scored) {
                       in_order = in_order && scored.row.id.text == std::to_string(written);
                       if (++written == 3) std::raise(SIGTERM);
                     }});
  return in_order && written >= 3 && caught_signal() == SIGTERM;
}

TEST_CASE("alone: a signal ends the rows" * doctest::skip()) {
  prove_of_one_way(
      [](const RowPace& pace, const auto& score) { return signal_ends_rows(pace, score); });
}

TEST_CASE("a signal ends the rows, and those that are written follow each other") {
  check_of_each_way("alone: a signal ends the rows");
}

TEST_CASE("alone: the first of two signals is the one that counts" * doctest::skip()) {
  watch_signals();
  std::raise(SIGTERM);
  std::raise(SIGINT);
  ::_exit(caught_signal() == SIGTERM ? kProven : 1);
}

TEST_CASE("the first of two signals is the one that counts") {
  CHECK(is_proven_alone("alone: the first of two signals is the one that counts", ""));
}

}  // namespace
}  // namespace headlight::stop_test
