#include "base/interrupt.h"

#include <array>
#include <atomic>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace headlight {
namespace {

// A signal handler can only use globals.
std::atomic<int> signal_number{0};
std::array<int, 2> wake_pipe{-1, -1};

std::atomic<bool> stop{false};

void remember(int number) {
  int none = 0;
  signal_number.compare_exchange_strong(none, number);
  request_stop();
}

}  // namespace

void watch_signals() {
  if (::pipe2(wake_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
}

int caught_signal() { return signal_number.load(); }

void request_stop() {
  if (stop.exchange(true)) return;
  [[maybe_unused]] const auto written = ::write(wake_pipe[1], "!", 1);
}

bool stop_requested() { return stop.load(); }

int stop_descriptor() { return wake_pipe[0]; }

}  // namespace headlight
