#include "commands/row_run.h"

#include <chrono>
#include <mutex>
#include <string>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "rows/scoring.h"

namespace headlight {
namespace {

/// Skips rows that an earlier run scored. Returns early if a stop is requested.
void pass_over(RowSource& source, std::size_t rows) {
  for (std::size_t passed = 0; passed < rows; ++passed) {
    if (source.next()) continue;
    if (stop_requested()) return;
    throw Error("the input",
                "has only " + counted(passed, "row") + ", but " + std::to_string(rows) +
                    " are already scored",
                "--force starts over");
  }
}

/// Writes and counts rows. Throws Error at the row that exceeds the permitted errors.
class ResultSink : public RowSink {
 public:
  /// `writing` is locked during each call.
  ResultSink(RowResult& result, const RowSerializer& writer, const ErrorOptions& errors,
             ErrorCount& count, std::timed_mutex& writing)
      : result_(result), writer_(writer), errors_(errors), count_(count), writing_(writing) {}

  void write(const ScoredRow& row) override {
    const std::lock_guard lock(writing_);
    const std::string reason = errors_.reason_to_stop(count_, row);
    if (!reason.empty()) {
      result_.hand_over();
      throw Error("", reason, result_.way_on());
    }
    if (count_.rows() == 0) result_.write(writer_.header());
    result_.write(writer_.row(row));
    count_.add(row);
  }
  void flush() override {
    const std::lock_guard lock(writing_);
    result_.flush();
  }

 private:
  RowResult& result_;
  const RowSerializer& writer_;
  const ErrorOptions& errors_;
  ErrorCount& count_;
  std::timed_mutex& writing_;
};

class RowRun {
 public:
  RowRun(const RunOptions& options, const Console& console, RowResult& result, const RowJob& job)
      : options_(options), console_(console), result_(result), job_(job) {
    count_.add_earlier(result.there().rows, result.there().errors);
  }

  int run() {
    if (count_.rows() > 0) console_.note("resuming after " + counted(count_.rows(), "row"));
    bool finished = false;
    try {
      finished = score();
    } catch (...) {
      sum_up(/*finished=*/false);
      throw;
    }
    sum_up(finished);
    if (!finished) {
      say_stopped();
      return kSignalBase + caught_signal();
    }
    console_.note(counted(count_.rows(), "row") + " scored");
    count_.say(console_, "row");
    return options_.errors.status(count_);
  }

 private:
  /// Scores and writes the rows. Returns false if a signal stopped the run.
  bool score() {
    try {
      score_until_signal();
    } catch (const ClosedPipe&) {
      if (caught_signal() == 0) throw;  // otherwise the signal is reported
      return false;
    }
    if (caught_signal() != 0) {
      result_.hand_over();
      return false;
    }
    options_.errors.check(count_, result_.way_on());
    if (count_.rows() == 0) result_.write(job_.writer.without_rows(job_.input.reader()));
    result_.replace_header(job_.writer.final_header(count_.rows()));
    result_.finish(job_.input.reader());
    return true;
  }

  void score_until_signal() {
    const BeforeForcedEnd forced([this] { hand_over_by_force(); });
    ResultSink sink(result_, job_.writer, options_.errors, count_, writing_);
    CountedRows rows(job_.rows, job_.input);
    pass_over(rows, count_.rows());
    Progress progress(options_.progress.style(console_, result_.is_standard()), "row",
                      count_.rows());
    ProgressSink shown(sink, count_, rows, progress);
    score_rows(job_.scorer, job_.threads, rows, shown);
  }

  /// A text takes too long. What was scored until now is kept.
  void hand_over_by_force() {
    constexpr std::chrono::milliseconds kPatience{300};  // as Output has with a reader
    if (!writing_.try_lock_for(kPatience)) return;       // it stays locked until the end
    try {
      result_.hand_over();
      sum_up(/*finished=*/false);
    } catch (const Error& error) {
      complain(error.line());
    } catch (const ClosedPipe&) {
    }
    say_stopped();
  }

  void sum_up(bool finished) const {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - job_.begun;
    options_.summary.write({count_, finished, seconds.count(), job_.model, job_.marks});
  }

  void say_stopped() const {
    const std::string way_on = result_.way_on();
    complain("stopped after " + counted(count_.rows(), "row") +
             (way_on.empty() ? "" : "; " + way_on));
  }

  const RunOptions& options_;
  const Console& console_;
  RowResult& result_;
  const RowJob& job_;
  ErrorCount count_;
  std::timed_mutex writing_;
};

}  // namespace

int run_rows(const RunOptions& options, const Console& console, RowResult& result,
             const RowJob& job) {
  return RowRun(options, console, result, job).run();
}

}  // namespace headlight
