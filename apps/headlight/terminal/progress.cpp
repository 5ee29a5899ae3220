#include "terminal/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <utility>

#include <unistd.h>

#include "base/utf8.h"
#include "options/help_group.h"
#include "terminal/terminal.h"

namespace headlight {
namespace {

constexpr std::chrono::milliseconds kFirst{500};  // a shorter run shows none
constexpr std::chrono::milliseconds kRedrawn{200};
constexpr std::chrono::seconds kLines{5};
constexpr std::chrono::minutes kMinutes{1};

/// Between two lines, or before the first one.
StatusLine::Clock::duration interval(StatusLine::Style style) {
  if (style == StatusLine::Style::minutes) return kMinutes;
  return kLines;
}

std::string two_digits(long number) { return (number < 10 ? "0" : "") + std::to_string(number); }

/// "[=====>              ] "; empty if the share is not known.
std::string bar(std::optional<double> share) {
  constexpr std::size_t kCells = 20;
  if (!share) return "";
  const auto full = static_cast<std::size_t>(*share * static_cast<double>(kCells));
  std::string cells(std::min(full, kCells), '=');
  if (cells.size() < kCells) cells += '>';
  cells.resize(kCells, ' ');
  return '[' + cells + "] ";
}

}  // namespace

std::string duration_text(double seconds) {
  constexpr double kLongest = 359'999.0;  // 99:59:59
  const long all = std::lround(std::clamp(seconds, 0.0, kLongest));
  const std::string end = two_digits(all % 60);
  if (all < 3600) return std::to_string(all / 60) + ":" + end;
  return std::to_string(all / 3600) + ":" + two_digits(all / 60 % 60) + ":" + end;
}

StatusLine::StatusLine(Style style, std::optional<Clock::time_point> next)
    : style_(style),
      next_(next.value_or(Clock::now() +
                          (style == Style::redrawn ? Clock::duration(kFirst) : interval(style)))) {}

StatusLine::~StatusLine() {
  if (drawn_) std::cerr << "\r\x1B[K" << std::flush;
}

bool StatusLine::is_due() const { return style_ != Style::none && Clock::now() >= next_; }

void StatusLine::show(const std::string& line, std::optional<double> share) {
  if (style_ != Style::redrawn) {
    next_ = Clock::now() + interval(style_);
    complain(line);
    return;
  }
  next_ = Clock::now() + kRedrawn;
  drawn_ = true;
  const std::string drawn = bar(share) + line;
  std::cerr << '\r' + drawn.substr(0, terminal_columns(STDERR_FILENO) - 1) + "\x1B[K" << std::flush;
}

Progress::Progress(Style style, std::string thing, std::size_t before,
                   std::optional<StatusLine::Clock::time_point> next)
    : status_(style, next), thing_(std::move(thing)), before_(before), begun_(Clock::now()) {}

void Progress::update(const Done& done) {
  if (status_.is_due()) status_.show(line(done), done.share);
}

void Progress::update(const RowsAhead& rows, const ErrorCount& count) {
  update({count.rows(), rows.share_of(count.rows()), count.errors()});
}

std::string Progress::line(const Done& done) const {
  const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  const auto count = static_cast<double>(done.count - before_);
  const double rate = seconds > 0.0 ? count / seconds : 0.0;
  std::string line = counted(done.count, thing_);
  if (count > 0.0) line += ", " + std::to_string(std::lround(rate)) + " per second";
  if (done.share && *done.share > 0.0 && count > 0.0) {
    // An earlier run's share took none of this run's time.
    const double mean = *done.share / static_cast<double>(done.count);
    const double left = seconds * (1.0 - *done.share) / (mean * count);
    line += ", " + std::to_string(std::lround(std::floor(100.0 * *done.share))) + " %";
    line += ", " + duration_text(left) + " left";
  }
  if (done.errors > 0) line += ", " + counted(done.errors, "error");
  return line;
}

void ProgressOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kRunGroup);
  mark(when(command.add_option("--progress",
                               "Report progress on standard error; auto: if it is a terminal"),
            when_),
       Effect::nothing);
}

Progress::Style ProgressOptions::style(const Console& console, bool beside_rows) const {
  const bool mixed = beside_rows && ::isatty(STDOUT_FILENO) == 1;
  const bool redrawn = ::isatty(STDERR_FILENO) == 1 && !mixed;
  if (when_ == When::never || (when_ == When::automatic && (!redrawn || console.is_quiet()))) {
    return Progress::Style::none;
  }
  return redrawn ? Progress::Style::redrawn : Progress::Style::lines;
}

Progress::Style ProgressOptions::long_style(const Console& console) const {
  const bool is_rare = when_ == When::automatic && ::isatty(STDERR_FILENO) == 0;
  return is_rare && !console.is_quiet() ? Progress::Style::minutes : style(console);
}

}  // namespace headlight
