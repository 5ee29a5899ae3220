// How a run ends that still computes after a signal, in a process of its own.
#include "base/interrupt.h"

#include <chrono>
#include <csignal>
#include <thread>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headlight::interrupt_test {
namespace {

constexpr int kByForce = 2;

/// The exit status of a run that needs a second after a signal.
int status_of_slow_end(bool may_be_forced) {
  const pid_t child = ::fork();
  if (child == 0) {
    end_by_force_with([](int) { ::_exit(kByForce); });
    watch_signals();
    if (!may_be_forced) end_without_force();
    ::kill(::getpid(), SIGINT);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    ::_exit(caught_signal() == SIGINT ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("a run that takes its time after a signal is ended by force, unless it says not to") {
  CHECK(status_of_slow_end(/*may_be_forced=*/true) == kByForce);
  CHECK(status_of_slow_end(/*may_be_forced=*/false) == 0);
}

}  // namespace
}  // namespace headlight::interrupt_test
