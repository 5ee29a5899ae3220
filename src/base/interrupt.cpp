#include "base/interrupt.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/parallel.h"
#include "base/unfinished_file.h"

namespace headlight {
namespace {

// A signal handler can only use globals.
std::atomic<int> signal_number{0};
std::array<int, 2> wake_pipe{-1, -1};

std::atomic<bool> stop{false};

sem_t signalled;

void (*forced_end)(int) = nullptr;
std::mutex ending;  // held while the process is ended by force
std::function<void()> before_end;
bool ends_by_itself = false;

bool is_only_thread = false;
volatile std::sig_atomic_t ends_now = 0;

constexpr std::chrono::milliseconds kPatience{500};  // a signal ends a run within a second
constexpr std::chrono::milliseconds kTimeToEnd{400};

void set_alarm(std::chrono::milliseconds wait) {
  const std::chrono::microseconds micros = wait;
  const itimerval once{{0, 0}, {0, static_cast<suseconds_t>(micros.count())}};
  ::setitimer(ITIMER_REAL, &once, nullptr);
}

void remember(int number) {
  int none = 0;
  signal_number.compare_exchange_strong(none, number);
  request_stop();
  ::sem_post(&signalled);
  if (forced_end != nullptr && is_only_thread && ends_now == 0) set_alarm(kPatience);
}

void end_unless_ended() {
  if (ends_by_itself) return;
  if (before_end) before_end();
  forced_end(caught_signal());
}

void wait_and_end() {
  while (::sem_wait(&signalled) != 0) {
  }
  std::this_thread::sleep_for(kPatience);
  const std::lock_guard lock(ending);
  end_unless_ended();
}

/// Ends the process in the middle of what its only thread does. That can hold a lock which the end
/// needs; the second alarm then ends the process without it.
void end_in_between(int) {
  constexpr int kSignalStatus = 128;
  if (ends_now != 0) {
    remove_unfinished_files();
    ::_exit(kSignalStatus + caught_signal());
  }
  const std::unique_lock lock(ending, std::try_to_lock);
  if (!lock || ends_by_itself) return;
  ends_now = 1;
  set_alarm(kTimeToEnd);
  end_unless_ended();
}

void expect_alarms() {
  struct sigaction alarm {};
  alarm.sa_handler = end_in_between;
  alarm.sa_flags = SA_NODEFER | SA_RESTART;
  ::sigaction(SIGALRM, &alarm, nullptr);
}

/// Starts the thread that waits. It handles the signals, since it is always ready; this thread, and
/// those that it starts later, may compute. If the system refuses it, a run ends only where it
/// checks caught_signal().
void start_waiting() {
  sigset_t all_others;
  sigset_t own;
  sigfillset(&all_others);
  sigemptyset(&own);
  for (const int number : {SIGINT, SIGTERM}) {
    sigdelset(&all_others, number);
    sigaddset(&own, number);
  }
  sigset_t before;
  ::pthread_sigmask(SIG_SETMASK, &all_others, &before);
  try {
    std::thread(wait_and_end).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::pthread_sigmask(SIG_BLOCK, &own, nullptr);  // also in the threads that this one starts
  } catch (const std::system_error&) {
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
}

}  // namespace

void end_by_force_with(void (*end)(int)) { forced_end = end; }

BeforeForcedEnd::BeforeForcedEnd(std::function<void()> action) {
  const std::lock_guard lock(ending);
  before_end = std::move(action);
}

BeforeForcedEnd::~BeforeForcedEnd() {
  const std::lock_guard lock(ending);
  before_end = nullptr;
  ends_by_itself = true;
}

void end_without_force() {
  const std::lock_guard lock(ending);
  ends_by_itself = true;
}

void watch_signals() {
  if (::pipe2(wake_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
  ::sem_init(&signalled, 0, 0);
  is_only_thread = sharing_threads() == 1;
  if (forced_end != nullptr && is_only_thread) expect_alarms();
  if (forced_end != nullptr && !is_only_thread) start_waiting();
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
}

int caught_signal() { return signal_number.load(); }

bool is_interrupted() {
  check_stopped();
  return caught_signal() != 0;
}

void request_stop() {
  if (stop_descriptor() < 0 || stop.exchange(true)) return;
  [[maybe_unused]] const auto written = ::write(wake_pipe[1], "!", 1);
}

bool stop_requested() { return stop.load(); }

int stop_descriptor() { return wake_pipe[0]; }

}  // namespace headlight
