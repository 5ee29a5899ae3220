// How far a run over a file of rows is, on standard error.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "options.h"

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

  /// The same rows; `done` says how much of the input the rows so far are, from 0 to 1, and is
  /// empty where nobody knows. It is asked by whoever asks for rows.
  RowSupply watch(const RowSupply& supply, const std::function<double()>& done) const;
  /// To be called where the first row is scored: rates are counted from here.
  void begin(const ErrorCount& count);
  void update(const ErrorCount& count);

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(const ErrorCount& count, Clock::time_point now) const;

  Style style_;
  std::shared_ptr<std::atomic<double>> share_;  // of the input that a row is; 0: not known
  Clock::time_point begun_;
  Clock::time_point next_;
  std::size_t rows_before_ = 0;
  bool drawn_ = false;
};

/// "4:05", "12:04:05"
std::string duration_text(double seconds);

/// --progress
class ProgressOptions {
 public:
  void add_to(CLI::App& command);
  Progress::Style style(const Console& console) const;

 private:
  std::string when_ = "auto";
};

}  // namespace headlight
