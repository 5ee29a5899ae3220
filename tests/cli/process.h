// Runs the program as a shell or an engine would: bytes in, bytes out, an exit status. Nothing here
// waits for ever; a program that hangs is stopped and said.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "sanitized.h"

namespace headlight {

/// What stands at the program's standard input, output or error.
enum class Channel : std::uint8_t {
  pipe,      // the test writes or reads
  closed,    // no descriptor at all
  full,      // /dev/full: every write fails for want of space
  unread,    // a pipe with a reader that never reads
  departed,  // a pipe whose reader went away before the program began
  terminal,  // for input: what the test writes is typed
};

struct Command {
  std::string program;                   // empty: headlight
  std::vector<std::string> arguments;    // after the program's name
  std::string input;                     // on standard input, which then ends
  std::vector<std::string> environment;  // NAME=value; nothing else is set
  std::string directory;                 // to run in; empty: where the test runs
  Channel in = Channel::pipe;
  Channel out = Channel::pipe;
  Channel err = Channel::pipe;
  bool own_terminal = false;   // one terminal is its input and its output, and controls it
  bool one_processor = false;  // run on one processor alone
  long largest_file = -1;      // bytes that a file may grow to, as on a full disk; -1: any
  long most_memory = -1;       // bytes of address space, as ulimit -v sets; -1: any
};

struct Outcome {
  int status = -1;  // of exit(); -1 where a signal ended the program
  int signal = 0;   // the signal that ended it
  bool timed_out = false;
  long peak_kilobytes = 0;  // of memory
  std::string out;
  std::string err;

  /// Empty where the program ended by itself, in time and without a report of a sanitizer.
  std::string complaint() const;
};

/// A program that was started. Stopped at the end of this object's life where it still runs.
class Process {
 public:
  explicit Process(const Command& command);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Waits until the program took all bytes; false where it did not.
  bool write(std::string_view bytes);
  void close_input();
  /// The next line of standard output without its LF, or nothing where none came in time.
  std::optional<std::string> read_line();
  /// Waits until standard error holds `part`; false where it does not in time.
  bool says(std::string_view part);
  /// The same of standard output.
  bool shows(std::string_view part);
  /// The reader of standard output goes away.
  void close_output();
  /// Whether the process writes nothing and does not end for so long.
  bool is_silent_for(std::chrono::milliseconds time);
  void send(int signal_number) const;
  /// Its number in /proc, while it runs.
  pid_t id() const { return child_; }
  /// Ends the input, reads what is left, waits for the end.
  Outcome finish();
  /// The same with the input left open.
  Outcome wait();

  /// Nothing that the program does may take longer.
  static constexpr std::chrono::seconds kPatience{20};

 private:
  using Clock = std::chrono::steady_clock;

  /// Moves bytes until `done()`, the end of both outputs or `deadline`.
  template <typename Done>
  void pump(Done done, Clock::time_point deadline);
  void write_some();
  static void read_some(int& descriptor, std::string& bytes);
  void wait_for_end(Clock::time_point deadline);
  bool has_ended(int options);

  pid_t child_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
  int unread_ = -1;
  std::string waiting_;    // for the program to take
  std::size_t taken_ = 0;  // of it
  std::string out_bytes_;
  std::string err_bytes_;
  Outcome outcome_;
};

/// Starts, feeds and finishes.
Outcome run(const Command& command);

}  // namespace headlight
