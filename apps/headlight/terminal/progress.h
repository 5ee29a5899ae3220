// Progress of a run, on standard error.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "options/options.h"
#include "options/row_options.h"
#include "rows/row_sources.h"

namespace headlight {

/// Shows nothing, redraws one line on a terminal, or adds a line to a file or pipe at intervals.
class StatusLine {
 public:
  enum class Style : std::uint8_t { none, redrawn, lines };

  explicit StatusLine(Style style);
  /// Erases the line from the terminal.
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether show() should be called now.
  bool is_due() const;
  /// `share` is the part of the run that is done, from 0 to 1; empty: not known.
  void show(const std::string& line, std::optional<double> share);

 private:
  using Clock = std::chrono::steady_clock;

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
  Progress(Style style, std::string thing, std::size_t before = 0);

  /// Call it as often as something is done; what is shown changes only at intervals.
  void update(const Done& done);

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(const Done& done) const;

  StatusLine status_;
  std::string thing_;
  std::size_t before_;
  Clock::time_point begun_;
};

/// Passes the rows of a file through, and estimates the share of the file that was scored from the
/// mean size of the rows read so far.
class CountedRows : public RowSource {
 public:
  /// Both must outlive it. `rows` must come from `input`; `before` were read already.
  CountedRows(RowSource& rows, const RowReader& input, std::size_t before = 0)
      : rows_(rows), input_(input), read_(before) {}

  std::optional<Row> next() override;
  bool ready() override { return rows_.ready(); }

  /// May be called on another thread than next().
  Progress::Done done(const ErrorCount& count) const;

 private:
  RowSource& rows_;
  const RowReader& input_;
  std::size_t read_;               // rows, which may be more than are scored
  std::atomic<double> share_ = 0;  // mean share of the input per row; 0: not known
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

 private:
  When when_ = When::automatic;
};

}  // namespace headlight
