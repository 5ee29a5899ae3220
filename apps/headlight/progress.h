// Progress of a run over a file of rows, on standard error.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "options.h"
#include "row_options.h"
#include "rows/row_source.h"

namespace headlight {

/// Shows nothing, redraws one line on a terminal, or adds a line to a file or pipe at intervals.
class Progress {
 public:
  enum class Style : std::uint8_t { none, redrawn, lines };

  explicit Progress(Style style);
  /// Erases the line from the terminal.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Must be called for each row read; it may be called on another thread than the other functions.
  /// `share_read` is the share of the input read so far, from 0 to 1; empty: not known.
  void add_read(std::optional<double> share_read);
  /// Must be called before the first row is scored. Rates are measured from here.
  void begin(const ErrorCount& count);
  void update(const ErrorCount& count);

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(const ErrorCount& count, Clock::time_point now) const;

  Style style_;
  std::size_t read_ = 0;           // rows read, which may be more than are scored
  std::atomic<double> share_ = 0;  // mean share of the input per row; 0: not known
  Clock::time_point begun_;
  Clock::time_point next_;
  std::size_t rows_before_ = 0;
  bool drawn_ = false;
};

/// Passes rows through and reports each one to a Progress.
class ProgressRows : public RowSource {
 public:
  /// All arguments must outlive it. `rows` must come from `input`.
  ProgressRows(RowSource& rows, const OpenRows& input, Progress& progress)
      : rows_(rows), input_(input), progress_(progress) {}

  std::optional<Row> next() override;
  bool ready() override { return rows_.ready(); }

 private:
  RowSource& rows_;
  const OpenRows& input_;
  Progress& progress_;
};

/// "4:05", "12:04:05"
std::string duration_text(double seconds);

/// --progress
class ProgressOptions {
 public:
  void add_to(CLI::App& command);
  Progress::Style style(const Console& console) const;

 private:
  When when_ = When::automatic;
};

}  // namespace headlight
