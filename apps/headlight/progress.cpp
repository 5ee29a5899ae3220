#include "progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include <unistd.h>

#include "terminal.h"

namespace headlight {
namespace {

constexpr std::chrono::milliseconds kRedrawn{200};
constexpr std::chrono::seconds kLines{5};

std::string two_digits(long number) { return (number < 10 ? "0" : "") + std::to_string(number); }

}  // namespace

std::string duration_text(double seconds) {
  constexpr double kLongest = 359'999.0;  // 99:59:59
  const long all = std::lround(std::clamp(seconds, 0.0, kLongest));
  const std::string end = two_digits(all % 60);
  if (all < 3600) return std::to_string(all / 60) + ":" + end;
  return std::to_string(all / 3600) + ":" + two_digits(all / 60 % 60) + ":" + end;
}

Progress::Progress(Style style) : style_(style) {}

Progress::~Progress() {
  if (drawn_) std::cerr << "\r\x1B[K" << std::flush;
}

void Progress::add_read(std::optional<double> share_read) {
  if (style_ == Style::none || !share_read) return;
  share_.store(*share_read / static_cast<double>(++read_), std::memory_order_relaxed);
}

std::optional<Row> ProgressRows::next() {
  std::optional<Row> row = rows_.next();
  if (row) progress_.add_read(input_.share_read());
  return row;
}

void Progress::begin(const ErrorCount& count) {
  begun_ = Clock::now();
  next_ = begun_ + (style_ == Style::lines ? Clock::duration(kLines) : Clock::duration(kRedrawn));
  rows_before_ = count.rows();
}

void Progress::update(const ErrorCount& count) {
  if (style_ == Style::none) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  if (style_ == Style::lines) {
    next_ = now + kLines;
    complain(line(count, now));
    return;
  }
  next_ = now + kRedrawn;
  drawn_ = true;
  std::cerr << '\r' + line(count, now).substr(0, terminal_columns(STDERR_FILENO) - 1) + "\x1B[K"
            << std::flush;
}

std::string Progress::line(const ErrorCount& count, Clock::time_point now) const {
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const auto rows = static_cast<double>(count.rows() - rows_before_);
  const double rate = seconds > 0.0 ? rows / seconds : 0.0;
  std::string line = counted(count.rows(), "row");
  line += ", " + std::to_string(std::lround(rate)) + " per second";
  const double share = share_.load(std::memory_order_relaxed);
  if (share > 0.0 && rows > 0.0) {
    const double done = std::min(1.0, share * static_cast<double>(count.rows()));
    const double left = seconds * (1.0 - done) / (share * rows);
    line += ", " + std::to_string(std::lround(std::floor(100.0 * done))) + " %";
    line += ", " + duration_text(left) + " left";
  }
  if (count.errors() > 0) line += ", " + counted(count.errors(), "error");
  return line;
}

void ProgressOptions::add_to(CLI::App& command) {
  when(command.add_option("--progress",
                          "Report progress on standard error; auto: if it is a terminal"),
       when_);
}

Progress::Style ProgressOptions::style(const Console& console) const {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  if (when_ == When::never || (when_ == When::automatic && (!terminal || console.is_quiet()))) {
    return Progress::Style::none;
  }
  return terminal ? Progress::Style::redrawn : Progress::Style::lines;
}

}  // namespace headlight
