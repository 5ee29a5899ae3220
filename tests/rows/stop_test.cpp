// Signals are remembered for the life of a process, so each of these runs in one of its own.
#include <csignal>
#include <string>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "rows/line_reader.h"
#include "rows/pipe.h"

namespace headlight {
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

TEST_CASE("the first of two signals is the one that counts") {
  CHECK(holds_in_a_child([] {
    watch_signals();
    std::raise(SIGTERM);
    std::raise(SIGINT);
    return caught_signal() == SIGTERM;
  }));
}

}  // namespace
}  // namespace headlight
