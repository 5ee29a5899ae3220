#include "row_run.h"

#include <chrono>
#include <string>

#include "base/error.h"
#include "base/interrupt.h"
#include "command.h"
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
  ResultSink(RowResult& result, const RowSerializer& writer, const ErrorOptions& errors,
             ErrorCount& count)
      : result_(result), writer_(writer), errors_(errors), count_(count) {}

  void write(const ScoredRow& row) override {
    const std::string reason = errors_.reason_to_stop(count_, row);
    if (!reason.empty()) {
      result_.hand_over();
      throw Error("", reason, result_.way_on());
    }
    if (count_.rows() == 0) result_.write(writer_.header());
    result_.write(writer_.row(row));
    count_.add(row);
  }
  void flush() override { result_.flush(); }

 private:
  RowResult& result_;
  const RowSerializer& writer_;
  const ErrorOptions& errors_;
  ErrorCount& count_;
};

/// Scores and writes the rows. Returns false if a signal stopped the run.
bool score(const RunOptions& options, const Console& console, RowResult& result, const RowJob& job,
           ErrorCount& count) {
  ResultSink sink(result, job.writer, options.errors, count);
  CountedRows rows(job.rows, job.input);
  try {
    pass_over(rows, count.rows());
    Progress progress(options.progress.style(console, result.is_standard()), "row", count.rows());
    ProgressSink shown(sink, count, rows, progress);
    score_rows(job.scorer, job.threads, rows, shown);
  } catch (const ClosedPipe&) {
    if (caught_signal() == 0) throw;  // otherwise the signal is reported
    return false;
  }
  if (caught_signal() != 0) {
    result.hand_over();
    return false;
  }
  options.errors.check(count, result.way_on());
  if (count.rows() == 0) result.write(job.writer.without_rows(job.input.reader()));
  result.replace_header(job.writer.final_header(count.rows()));
  result.finish();
  return true;
}

}  // namespace

int run_rows(const RunOptions& options, const Console& console, RowResult& result,
             const RowJob& job) {
  ErrorCount count;
  count.add_earlier(result.there().rows, result.there().errors);
  if (count.rows() > 0) console.note("resuming after " + counted(count.rows(), "row"));
  bool finished = false;
  const auto sum_up = [&] {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - job.begun;
    options.summary.write({count, finished, seconds.count(), job.model, job.marks});
  };
  try {
    finished = score(options, console, result, job, count);
  } catch (...) {
    sum_up();
    throw;
  }
  sum_up();
  if (!finished) {
    const std::string way_on = result.way_on();
    complain("stopped after " + counted(count.rows(), "row") +
             (way_on.empty() ? "" : "; " + way_on));
    return kSignalBase + caught_signal();
  }
  console.note(counted(count.rows(), "row") + " scored");
  count.say(console, "row");
  return options.errors.status(count);
}

}  // namespace headlight
