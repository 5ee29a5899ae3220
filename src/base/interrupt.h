// Ctrl-C and SIGTERM for a run that completes its current rows before it ends: a flag, and a
// descriptor that wakes a thread that waits for input.
#pragma once

namespace headlight {

/// After this call, SIGINT and SIGTERM are recorded and do not end the process. Call it once.
void watch_signals();

/// The first signal since watch_signals(), or 0.
int caught_signal();

/// Stops all waits for input, as a signal does.
void request_stop();

/// Whether a signal was received or request_stop() was called.
bool stop_requested();

/// A descriptor that is readable after stop_requested() is true; -1 before watch_signals().
int stop_descriptor();

}  // namespace headlight
