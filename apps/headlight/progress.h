// How far a run over a file of rows is, on standard error.
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

/// Says nothing, redraws one line on a terminal, or now and then adds a line to a file or pipe.
class Progress {
 public:
  enum class Style : std::uint8_t { none, redrawn, lines };

  explicit Progress(Style style);
  /// Takes the line from the terminal.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// To be called when one more row was read, which may be on another thread than all else.
  /// `share_read` says how much of the input the rows so far are, from 0 to 1; empty: not known.
  void add_read(std::optional<double> share_read);
  /// To be called where the first row is scored: rates are counted from here.
  void begin(const ErrorCount& count);
  void update(const ErrorCount& count);

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(const ErrorCount& count, Clock::time_point now) const;

  Style style_;
  std::size_t read_ = 0;           // rows, which are ahead of those that are scored
  std::atomic<double> share_ = 0;  // of the input that a row is; 0: not known
  Clock::time_point begun_;
  Clock::time_point next_;
  std::size_t rows_before_ = 0;
  bool drawn_ = false;
};

/// The rows of a file, counted on their way.
class ProgressRows : public RowSource {
 public:
  /// All must outlive it; `rows` come from `input`.
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
