// Ctrl-C and SIGTERM for a run that finishes what is in hand: a flag, and a descriptor that wakes
// whoever waits for input.
#pragma once

namespace headlight {

/// From now on SIGINT and SIGTERM no longer end the process but are remembered. Call it once.
void watch_signals();

/// The first signal that came since, or 0.
int caught_signal();

/// Lets nobody wait for input any more, as a signal would.
void request_stop();

/// Whether a signal came or a stop was requested.
bool stop_requested();

/// Readable once stop_requested(); -1 before watch_signals().
int stop_descriptor();

}  // namespace headlight
