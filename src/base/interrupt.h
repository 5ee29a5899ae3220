// Ctrl-C and SIGTERM for a run that completes its current rows before it ends: a flag, and a
// descriptor that wakes a thread that waits for input.
#pragma once

#include <functional>

namespace headlight {

/// Chooses how a run ends that still computes half a second after a signal, such as in the middle
/// of a very long text: watch_signals() calls `end`, which ends the process, on a thread of its
/// own, or in a signal handler if the run may have only one thread. Without it, such a run goes on.
/// Call it before watch_signals(), which is called when the number of threads is set.
void end_by_force_with(void (*end)(int signal_number));

/// During its lifetime, `action` runs before `end`, in the same place. Afterwards the run ends by
/// itself and `end` is not called. Only one may exist at a time.
class BeforeForcedEnd {
 public:
  explicit BeforeForcedEnd(std::function<void()> action);
  ~BeforeForcedEnd();
  BeforeForcedEnd(const BeforeForcedEnd&) = delete;
  BeforeForcedEnd& operator=(const BeforeForcedEnd&) = delete;
};

/// After this call, a signal no longer ends the run by force, however long its own end takes.
void end_without_force();

/// After this call, SIGINT and SIGTERM are recorded and do not end the process. Call it once.
void watch_signals();

/// The first signal since watch_signals(), or 0.
int caught_signal();

/// Whether a signal was received: what long work asks in between. Throws WorkStopped
/// (base/parallel.h) if the work of this thread is to stop.
bool is_interrupted();

/// Stops all waits for input, as a signal does. Does nothing before watch_signals(): a program that
/// does not watch them has no such waits.
void request_stop();

/// Whether a signal was received or request_stop() was called.
bool stop_requested();

/// A descriptor that is readable after stop_requested() is true; -1 before watch_signals().
int stop_descriptor();

}  // namespace headlight
