// Progress of a run, on standard error.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "options/options.h"
#include "rows/row_sources.h"

namespace headlight {

/// Shows nothing, redraws one line on a terminal, or adds a line to a file or pipe at intervals.
class StatusLine {
 public:
  enum class Style : std::uint8_t { none, redrawn, lines, minutes };  // minutes: rare lines
  using Clock = std::chrono::steady_clock;

  /// `next`: of the last status line of the same run; empty: this is the first one.
  explicit StatusLine(Style style, std::optional<Clock::time_point> next = {});
  /// Erases the line from the terminal.
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether show() should be called now.
  bool is_due() const;
  /// When it will be.
  Clock::time_point next() const { return next_; }
  /// `share` is the part of the run that is done, from 0 to 1; empty: not known.
  void show(const std::string& line, std::optional<double> share);

 private:
  Style style_;
  Clock::time_point next_;
  bool drawn_ = false;
};

/// The number of things done, their rate and the time left.
class Progress {
 public:
  using Style = StatusLine::Style;

  /// How much of a run is done.
  struct Done {
    std::size_t count = 0;        // things
    std::optional<double> share;  // of the whole run, from 0 to 1; empty: not known
    std::size_t errors = 0;
  };

  /// `thing` is what is counted, such as "row". Rates are measured from here on; `before` things
  /// were done by an earlier run.
  Progress(Style style, std::string thing, std::size_t before = 0,
           std::optional<StatusLine::Clock::time_point> next = {});

  /// Call it as often as something is done; what is shown changes only at intervals.
  void update(const Done& done);
  /// The same for rows of a file that were scored, which `count` counts.
  void update(const RowsAhead& rows, const ErrorCount& count);
  StatusLine::Clock::time_point next() const { return status_.next(); }

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(const Done& done) const;

  StatusLine status_;
  std::string thing_;
  std::size_t before_;
  Clock::time_point begun_;
};

/// "4:05", "12:04:05"
std::string duration_text(double seconds);

/// --progress
class ProgressOptions {
 public:
  void add_to(CLI::App& command);
  /// `beside_rows`: rows are written to standard output during the run. On a terminal, they show
  /// the progress themselves, and a redrawn line would be mixed with them.
  Progress::Style style(const Console& console, bool beside_rows = false) const;
  /// Of long work that writes no rows: without a terminal a line a minute.
  Progress::Style long_style(const Console& console) const;

 private:
  When when_ = When::automatic;
};

}  // namespace headlight
