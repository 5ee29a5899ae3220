// Signals are remembered for the life of a process, so each of these runs in one of its own.
#include <any>
#include <csignal>
#include <cstddef>
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
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(kPatience);
    ::execl("/proc/self/exe", "rows_test", "--no-skip", chosen.c_str(), subcase.c_str(), nullptr);
    ::_exit(1);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == kProven;
}

class NoSummary : public TraceSummarizer {
 public:
  Trace wanted() const override { return {}; }
  std::any summarize(const Encoding&, const TextTrace&) const override { return {}; }
};

using Proof = bool (*)(const RowScorer& scorer, std::size_t threads);

bool holds(Proof proof, bool traced, std::size_t threads) {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  const Classifier classifier(model, {});
  const TextScorer plain(classifier);
  const NoSummary summarizer;
  const TracingScorer tracing(classifier, summarizer);
  return proof(traced ? static_cast<const RowScorer&>(tracing) : plain, threads);
}

void prove(Proof proof, bool traced, std::size_t threads) {
  ::_exit(holds(proof, traced, threads) ? kProven : 1);
}

void prove_of_one_scorer(Proof proof) {
  SUBCASE("plain on 1 thread") { prove(proof, false, 1); }
  SUBCASE("plain on 2 threads") { prove(proof, false, 2); }
  SUBCASE("traced on 1 thread") { prove(proof, true, 1); }
  SUBCASE("traced on 2 threads") { prove(proof, true, 2); }
}

void check_of_each_scorer(const std::string& test) {
  for (const char* part :
       {"plain on 1 thread", "plain on 2 threads", "traced on 1 thread", "traced on 2 threads"}) {
    CAPTURE(part);
    CHECK(is_proven_alone(test, part));
  }
}

/// A full disk, or a pipe whose reader went away.
class FailingSink : public RowSink {
 public:
  void write(const ScoredRow&) override { throw std::runtime_error("cannot write"); }
  void flush() override {}
};

/// The pipe stays open: nothing but a stop ends it.
bool failing_sink_wakes_reader(const RowScorer& scorer, std::size_t threads) {
  watch_signals();
  const Pipe pipe;
  pipe.write("good\n");
  RowReader reader(pipe.reader(), "f", {});
  FailingSink sink;
  try {
    score_rows(scorer, threads, reader, sink);
  } catch (const std::runtime_error& error) {
    return std::string(error.what()) == "cannot write" && caught_signal() == 0;
  }
  return false;
}

TEST_CASE("alone: a failing sink wakes the reader" * doctest::skip()) {
  prove_of_one_scorer(failing_sink_wakes_reader);
}

TEST_CASE("a sink that fails wakes the reader that waits for more rows") {
  check_of_each_scorer("alone: a failing sink wakes the reader");
}

/// Raises a signal where the third row is written.
class RaisingSink : public CollectedRows {
 public:
  void write(const ScoredRow& row) override {
    CollectedRows::write(row);
    if (rows().size() == 3) std::raise(SIGTERM);
  }
};

bool signal_ends_rows(const RowScorer& scorer, std::size_t threads) {
  watch_signals();
  const Pipe pipe;
  for (int i = 0; i < 500; ++i) pipe.write("good bad\n");
  RowReader reader(pipe.reader(), "f", {});
  RaisingSink sink;
  score_rows(scorer, threads, reader, sink);
  bool in_order = sink.rows().size() >= 3;
  for (std::size_t i = 0; i < sink.rows().size(); ++i) {
    in_order = in_order && sink.rows()[i].row.id.text == std::to_string(i);
  }
  return in_order && caught_signal() == SIGTERM;
}

TEST_CASE("alone: a signal ends the rows" * doctest::skip()) {
  prove_of_one_scorer(signal_ends_rows);
}

TEST_CASE("a signal ends the rows, and those that are written follow each other") {
  check_of_each_scorer("alone: a signal ends the rows");
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
